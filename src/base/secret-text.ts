// Secrets in a configuration: the secret itself, or `env:NAME` for the environment variable NAME that holds it.

export type EnvironmentLookup = (name: string) => string | undefined;

const REFERENCE = /^env:([A-Za-z_][A-Za-z0-9_]*)$/;

const nameIn = (text: string) => REFERENCE.exec(text)?.[1];

export function isSecretText(text: string): boolean {
  return !text.startsWith("env:") || REFERENCE.test(text);
}

/** The names of variables that these texts refer to and that are not set. */
export function missingSecrets(
  texts: readonly (string | undefined)[],
  environment: EnvironmentLookup,
): readonly string[] {
  const names = texts.flatMap((text) => nameIn(text ?? "") ?? []);
  return [...new Set(names)].filter((name) => !environment(name));
}

export function secretOf(text: string, environment: EnvironmentLookup): string {
  const name = nameIn(text);
  if (name === undefined) return text;
  const value = environment(name);
  if (!value) throw new Error(`environment variable ${name} is not set`);
  return value;
}
