// One line is one fact in the past tense, with fields. Secrets are never logged.

type Fields = Readonly<Record<string, unknown>>;

export interface Log {
  debug(fields: Fields, fact: string): void;
  info(fields: Fields, fact: string): void;
  warn(fields: Fields, fact: string): void;
  error(fields: Fields, fact: string): void;
}
