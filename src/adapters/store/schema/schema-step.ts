// A step of the schema, and the record that a database or a backup has of it.

export interface SchemaStep {
  /** Sorts in the order of application: "0001-schema". */
  readonly name: string;
  readonly sql: string;
  /** Tables of which it writes every row anew: it takes as long as they are large, and about as much space again. */
  readonly rewrites?: readonly string[];
}

/**
 * Steps from this number on only add, so that processes of the version before run beside them and start again
 * (docs/upgrading.md). `long-locks.test.ts` refuses those that would not.
 */
const ADDITIVE_FROM = "0020";

export const isAdditive = ({ name }: SchemaStep): boolean => name >= ADDITIVE_FROM;

export interface AppliedStep {
  readonly name: string;
  readonly checksum: string;
  /** A version that does not know the step can use the database all the same. */
  readonly isAdditive?: boolean;
}
