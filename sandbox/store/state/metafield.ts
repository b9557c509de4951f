export interface MetafieldDocument {
  /** `{owner global id}|{namespace}|{key}`; also the key of the table. */
  id: string;
  numericId: number;
  shop: string;
  /** Global id of the resource that the metafield belongs to. */
  ownerId: string;
  /** Resolved: the reserved `$app` prefix is stored as `app--{app id}`. */
  namespace: string;
  key: string;
  type: string;
  value: string;
  createdAt: string;
  updatedAt: string;
}
