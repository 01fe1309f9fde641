// What stands in the address of a screen: `useRouteParams("/calls/$sid")` is `{ sid }`, and a name that the path does
// not have does not compile.

import { useParams } from "@tanstack/react-router";

type NamesIn<Path extends string> = Path extends `${string}$${infer Name}/${infer Rest}`
  ? Name | NamesIn<Rest>
  : Path extends `${string}$${infer Name}`
    ? Name
    : never;

/** Empty where a screen is at an address without the parameter, too. */
export function useRouteParams<const Path extends string>(path: Path): Readonly<Record<NamesIn<Path>, string>> {
  const given = useParams({ strict: false }) as Readonly<Record<string, string | undefined>>;
  const names = [...path.matchAll(/\$(\w+)/g)].map(([, name = ""]) => name);
  return Object.fromEntries(names.map((name) => [name, given[name] ?? ""])) as Record<NamesIn<Path>, string>;
}
