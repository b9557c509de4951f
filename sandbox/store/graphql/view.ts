/** An object of the schema as the store models it: properties and functions named after its fields. */
export type View = Record<string, unknown>;
