// What the scripts of all shells share: where in the tree a command is, and what can stand there.

import { type CommandNode, type CommandOption, nodesOf, type Value } from "../../command-tree.ts";

/** `/operator/links`; the program itself is nothing. */
export function placeOf({ path }: CommandNode): string {
  return path
    .slice(1)
    .map((name) => `/${name}`)
    .join("");
}

/** Every place but that of the program itself. */
export function placesOf(program: CommandNode): readonly string[] {
  return nodesOf(program).slice(1).map(placeOf);
}

export interface ValuedOption extends Value {
  readonly place: string;
  readonly option: CommandOption;
}

/** The options that take a value, wherever they are. */
export function valuedOptions(program: CommandNode): readonly ValuedOption[] {
  return nodesOf(program).flatMap((node) =>
    node.options
      .filter(({ takesValue }) => takesValue)
      .map((option) => ({ place: placeOf(node), option, words: option.words, isFile: option.isFile })),
  );
}

export function optionNames({ options }: CommandNode): readonly string[] {
  return options.flatMap(({ names }) => names);
}

/** Names of commands, and words that an argument takes. */
export function plainWords(node: CommandNode): readonly string[] {
  return [
    ...node.children.map(({ path }) => path.at(-1) ?? ""),
    ...node.arguments.flatMap((argument) => argument.words),
  ];
}

export function takesFile(node: CommandNode): boolean {
  return node.arguments.some(({ isFile }) => isFile);
}

/** A word in single quotes, as POSIX shells and zsh read it. */
export function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
