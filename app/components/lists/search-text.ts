export { searchText } from "../../domain/overview/search-text.ts";
