// Shared by the scripts of all shells: the path of a command in the tree, and the words that can follow it.

import { type CommandNode, type CommandOption, nodesOf, type Value } from "../../command-tree.ts";

/** `/operator/links`; empty for the program itself. */
export function placeOf({ path }: CommandNode): string {
  return path
    .slice(1)
    .map((name) => `/${name}`)
    .join("");
}

/** The places of all commands except the program itself. */
export function placesOf(program: CommandNode): readonly string[] {
  return nodesOf(program).slice(1).map(placeOf);
}

export interface ValuedOption extends Value {
  readonly place: string;
  readonly option: CommandOption;
}

/** All options that take a value, with the place of their command. */
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

/** Names of subcommands, and words that an argument accepts. */
export function plainWords(node: CommandNode): readonly string[] {
  return [
    ...node.children.map(({ path }) => path.at(-1) ?? ""),
    ...node.arguments.flatMap((argument) => argument.words),
  ];
}

export function takesFile(node: CommandNode): boolean {
  return node.arguments.some(({ isFile }) => isFile);
}

/** A word in single quotes, by the rules of POSIX shells and zsh. */
export function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
