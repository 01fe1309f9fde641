// Statements of the hot path. PostgreSQL parses and plans each once per connection, by its name. A file that defines
// one adds it to the list, from which `npm run generate` prints sql/statements.

export interface NamedStatement {
  readonly name: string;
  readonly text: string;
}

const statements = new Map<string, NamedStatement>();

export function named(name: string, text: string): NamedStatement {
  if ((statements.get(name)?.text ?? text) !== text) throw new Error(`two statements have the name ${name}`);
  const statement = { name, text };
  statements.set(name, statement);
  return statement;
}

/** Those of every file that was loaded. */
export function namedStatements(): readonly NamedStatement[] {
  return [...statements.values()];
}

export const textOf = (statement: string | NamedStatement) =>
  typeof statement === "string" ? statement : statement.text;
