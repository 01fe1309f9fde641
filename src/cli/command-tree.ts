// The commands of `tandem` as plain data, read from commander: for shell completion and for the documents.

import type { EventEmitter } from "node:events";
import type { Argument, Command, Option } from "commander";

/** The possible values of an argument or option: known words, a file, or anything. */
export interface Value {
  readonly words: readonly string[];
  readonly isFile: boolean;
}

export interface CommandOption extends Value {
  /** As in `-o, --out <file>`. */
  readonly flags: string;
  /** `-o` and `--out`. */
  readonly names: readonly string[];
  readonly takesValue: boolean;
  readonly isRequired: boolean;
  readonly description: string;
}

export interface CommandArgument extends Value {
  /** As in `<number...>`. */
  readonly shown: string;
  readonly description: string;
}

export interface CommandNode {
  /** From the program's name on: `["tandem", "operator", "links"]`. */
  readonly path: readonly string[];
  readonly summary: string;
  readonly description: string;
  /** Further help text: details and examples. */
  readonly notes: string;
  readonly options: readonly CommandOption[];
  readonly arguments: readonly CommandArgument[];
  readonly children: readonly CommandNode[];
}

export function readTree(command: Command, before: readonly string[] = []): CommandNode {
  const path = [...before, command.name()];
  return {
    path,
    summary: command.summary() || command.description(),
    description: command.description(),
    notes: notesOf(command),
    options: command.createHelp().visibleOptions(command).map(optionOf),
    arguments: command.registeredArguments.map(argumentOf),
    children: command.commands.map((child) => readTree(child, path)),
  };
}

/** A command and all its descendants, each before its children. */
export function nodesOf(node: CommandNode): readonly CommandNode[] {
  return [node, ...node.children.flatMap(nodesOf)];
}

/** Commander stores additional help as listeners that write it. */
function notesOf(command: Command): string {
  let notes = "";
  const emitter = command as unknown as EventEmitter;
  emitter.emit("afterHelp", { error: false, command, write: (text: string) => (notes += text) });
  return notes.trim();
}

function optionOf(option: Option): CommandOption {
  return {
    flags: option.flags,
    names: [option.short, option.long].filter((name) => name !== undefined),
    takesValue: option.required || option.optional,
    isRequired: option.mandatory,
    description: option.description,
    ...acceptedBy(option.parseArg, option.flags),
  };
}

function argumentOf(argument: Argument): CommandArgument {
  const name = argument.variadic ? `${argument.name()}...` : argument.name();
  return {
    shown: argument.required ? `<${name}>` : `[${name}]`,
    description: argument.description,
    ...acceptedBy(argument.parseArg, argument.name()),
  };
}

/** Parsers list the words that they accept (arguments.ts). */
function acceptedBy(parser: unknown, name: string): Value {
  const { words = [] } = (parser ?? {}) as { readonly words?: readonly string[] };
  return { words, isFile: /\bfile\b/.test(name) };
}
