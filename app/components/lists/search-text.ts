export { searchText } from "../../modules/reports/search-text.ts";
