// A step of the schema, and the record that a database or a backup has of it.

export interface SchemaStep {
  /** Sorts in the order of application: "0001-schema". */
  readonly name: string;
  readonly sql: string;
}

export interface AppliedStep {
  readonly name: string;
  readonly checksum: string;
}
