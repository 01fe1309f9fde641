// A step of the schema, and the record that a database or a backup has of it.

export interface SchemaStep {
  /** Sorts in the order of application: "0001-schema". */
  readonly name: string;
  readonly sql: string;
  /** Tables of which it writes every row anew: it takes as long as they are large, and about as much space again. */
  readonly rewrites?: readonly string[];
}

export interface AppliedStep {
  readonly name: string;
  readonly checksum: string;
}
