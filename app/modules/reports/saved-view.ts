/** A selection of the index that the shop's staff keep under a name. */
export interface SavedView {
  id: string;
  name: string;
  /** The selection as the index's address has it: "status=attention&mode=production". */
  selection: string;
}

export interface SavedViewRepository {
  /** In the order in which they were made. */
  all(): Promise<SavedView[]>;
  /** False when the name is taken. */
  add(view: SavedView): Promise<boolean>;
  /** False when the name is taken, or the view is gone. */
  rename(id: string, name: string): Promise<boolean>;
  remove(id: string): Promise<void>;
}
