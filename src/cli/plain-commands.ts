// Runs plain commands: each reads its arguments and options, calls one method of the SDK and prints the answer. They
// are described beside the operations (base/plain-command.ts); npm run generate prints them to commands.generated.ts.

import { type Command, Option } from "commander";
import type { Answer, ListAnswer, PageOptions } from "../../sdk/src/index.ts";
import type { Cell, Part, PlainCommand, PlainInput } from "../base/plain-command.ts";
import {
  addAccountOptions,
  addOperatorOptions,
  clientOf,
  OPERATOR,
  type OperatorCallFlags,
  operatorClientOf,
} from "./account-options.ts";
import { limitOption } from "./arguments.ts";
import { cellsOf, fieldsOf, type Scope, textOf, titlesOf, valueAt } from "./cells.ts";
import { PLAIN_COMMANDS } from "./commands.generated.ts";
import type { CredentialFlags } from "./credentials.ts";
import { EXIT, RefusedError, UsageError } from "./exit-codes.ts";
import { gatherPages } from "./gather-pages.ts";
import { readerOf } from "./kinds.ts";
import { print, printFields, printJson, printTable, say } from "./output.ts";
import { writeNew } from "./whole-files.ts";

type Values = Readonly<Record<string, unknown>>;
type Flags = CredentialFlags & OperatorCallFlags & { readonly limit?: number; readonly out?: string } & Values;

/** Adds the plain commands of a group, such as `calls` or `operator calls`; "" stands for the top level. */
export function addPlainCommands(group: Command, path: string): void {
  for (const plain of PLAIN_COMMANDS) {
    const words = plain.name.split(" ");
    if (words.slice(0, -1).join(" ") === path && !plain.sids) addPlainCommand(group, words.at(-1) ?? "", plain);
  }
}

function addPlainCommand(group: Command, name: string, plain: PlainCommand): void {
  const command = group.command(name, { isDefault: plain.isDefault === true }).description(plain.about);
  if (plain.summary !== undefined) command.summary(plain.summary);
  if (plain.example !== undefined) command.addHelpText("after", helpOf([plain.example]));
  for (const input of plain.arguments) {
    const { parse } = readerOf(input.kind, input.words ?? []);
    const { default: preset, help, shown } = input;
    if (parse) command.argument(shown, help, parse as (text: string) => unknown, preset);
    else command.argument(shown, help, preset);
  }
  for (const input of plain.options) {
    if (input === "--json") command.option("--json", plain.json);
    else command.addOption(optionOf(input));
  }
  if (plain.ofAccount) command.option("--account <sid>", "of this account");
  const signedIn = { account: addAccountOptions, operator: addOperatorOptions, view: OPERATOR.addOptions }[plain.who];
  signedIn(command).action(async (...all: unknown[]) => {
    const flags = all[plain.arguments.length] as Flags;
    const fitting = PLAIN_COMMANDS.find((each) => each.name === plain.name && isFor(each, all[0])) ?? plain;
    await run(fitting, readValues(plain, all, flags), flags);
  });
}

function isFor({ sids }: PlainCommand, first: unknown): boolean {
  return sids !== undefined && String(first).toUpperCase().startsWith(sids);
}

function optionOf(input: PlainInput): Option {
  if (input.to === "limit") return limitOption();
  const option = new Option(input.shown, input.help);
  const { parse } = readerOf(input.kind, input.words ?? []);
  if (parse && option.required) option.argParser(parse as (text: string) => unknown);
  if (input.default !== undefined) option.default(input.default);
  if (input.isRequired) option.makeOptionMandatory();
  if (input.conflicts !== undefined) option.conflicts(input.conflicts);
  return option;
}

/** Adds the options of a plain command to a handwritten one, except those that concern the output. */
export function addOptionsOf(command: Command, name: string): Command {
  for (const input of plainCommand(name).options) {
    if (input !== "--json" && input.to !== "limit") command.addOption(optionOf(input));
  }
  return command;
}

/** The members of the request that these options set. */
export function membersOf<Members extends object>(name: string, flags: object): Partial<Members> {
  return readValues(plainCommand(name), [], flags as Flags).members as unknown as Partial<Members>;
}

/** The same for a command that needs at least one of them. */
export function neededMembersOf<Members extends object>(name: string, flags: object): Members {
  const members = membersOf<Members>(name, flags);
  checkNeeds(plainCommand(name), members);
  return members as unknown as Members;
}

function plainCommand(name: string): PlainCommand {
  const plain = PLAIN_COMMANDS.find((each) => each.name === name);
  if (!plain) throw new Error(`There is no plain command ${name}`);
  return plain;
}

interface Given {
  /** By the member of the request. */
  readonly members: Values;
  /** By the name on the command line. */
  readonly named: Values;
}

function readValues(plain: PlainCommand, all: readonly unknown[], flags: Flags): Given {
  const options = plain.options.filter((input) => input !== "--json");
  const given = [
    ...plain.arguments
      .map((input, at) => ({ input, name: input.shown.replace(/\W/g, ""), value: all[at] }))
      // Omits optional numbers that were not given.
      .filter(({ value }) => !(Array.isArray(value) && value.length === 0)),
    ...options.map((input) => {
      const name = new Option(input.shown).attributeName();
      return { input, name, value: flags[name] };
    }),
  ].filter(({ value }) => value !== undefined);
  const sent = given.filter(({ input }) => input.to !== "limit" && input.to !== "out");
  return {
    members: Object.fromEntries(
      sent.flatMap(({ input, value }) => [...Object.entries(input.with ?? {}), [input.to, finished(input, value)]]),
    ),
    named: Object.fromEntries(given.map(({ name, value }) => [name, value])),
  };
}

function finished(input: PlainInput, value: unknown): unknown {
  if (value === true && !input.shown.includes("<")) return input.value ?? true;
  const { finish } = readerOf(input.kind, input.words ?? []);
  return finish ? finish(value as never) : value;
}

function checkNeeds({ needs, options }: PlainCommand, members: object): void {
  const isChange = options.some((input) => input !== "--json" && input.to in members);
  if (needs !== undefined && !isChange) throw new UsageError(needs);
}

async function run(plain: PlainCommand, { members, named }: Given, flags: Flags): Promise<void> {
  checkNeeds(plain, members);
  const { data, status } = await ask(plain, { ...plain.sets, ...members }, flags);
  const only = plain.only === undefined ? data : valueAt(data, plain.only);
  if (plain.lacks !== undefined && !only) throw new RefusedError(plain.lacks);
  const scope = { answer: data, given: named };
  const file = plain.shows.find((part) => "file" in part);
  if (file && "file" in file) {
    const bytes = data as Uint8Array;
    const path = flags.out ?? textOf(file.file, scope) ?? "";
    await writeNew({ path, bytes, text: file.text.replace("{octets}", String(bytes.length)) }, flags);
  } else if (!flags.json) printParts(plain.shows, scope);
  else if (plain.answers === "nothing") printJson({ ...members, [plain.done ?? "done"]: true });
  else printJson(only);
  if (plain.unchanged !== undefined && status === 200) say(plain.unchanged);
  if (plain.failed !== undefined && (valueAt(data, plain.failed) as readonly unknown[]).length > 0)
    process.exitCode = EXIT.refused;
}

type Method = (...args: unknown[]) => Promise<Answer<unknown>>;

type Asked = Pick<Answer<unknown>, "data" | "status">;

async function ask(plain: PlainCommand, members: Values, flags: Flags): Promise<Asked> {
  const [client, path] = clientFor(plain, flags);
  const method = path.split(".").reduce((at: unknown, name) => (at as Values)[name], client) as Method;
  const inPlace = new Set(plain.takes);
  const rest = Object.fromEntries(Object.entries(members).filter(([name]) => !inPlace.has(name)));
  const args = plain.takes.map((name) => (name === "body" ? rest : members[name]));
  const filters = plain.takes.includes("body") ? {} : rest;
  if (plain.answers !== "pages") {
    const { data, status } = await method(...args, filters);
    return { status, data: plain.answers === "items" ? (data as ListAnswer<unknown>).items : data };
  }
  const list = (page: PageOptions) => method(...args, { ...filters, ...page });
  const data = await gatherPages(list as (page: PageOptions) => Promise<Answer<ListAnswer<unknown>>>, flags.limit);
  return { data, status: 200 };
}

function clientFor(plain: PlainCommand, flags: Flags): readonly [client: object, method: string] {
  if (plain.who === "account") return [clientOf(flags), plain.call];
  if (plain.who === "view") return [OPERATOR.viewOf(flags), plain.call];
  const { account } = flags;
  if (plain.ofAccount !== undefined && account !== undefined)
    return [operatorClientOf(flags).account(account), plain.ofAccount];
  return [operatorClientOf(flags), plain.call];
}

/** The text at the end of a command's help. */
export function helpOf(examples: readonly string[], note?: string): string {
  const title = examples.length === 1 ? "Example" : "Examples";
  return `\n${note === undefined ? "" : `${note}\n\n`}${title}:\n${examples.map((each) => `  ${each}\n`).join("")}`;
}

/** Prints an answer like the plain command of this name; a table needs a list. */
export function printAs(name: string, answer: unknown): void {
  printParts(plainCommand(name).shows, { answer, given: {} });
}

function printParts(parts: readonly Part[], scope: Scope): void {
  for (const [at, part] of parts.entries()) {
    if ("table" in part || "lines" in part) printRows(part, scope, at > 0 && "fields" in (parts[at - 1] ?? {}));
    else if ("rows" in part) printTable(part.titles, rowsOf(part.rows, scope));
    else if ("fields" in part) printFields(fieldsOf(part.fields, scope));
    else if ("print" in part || "say" in part) {
      const text = textOf("print" in part ? part.print : part.say, scope);
      if (text !== undefined) "print" in part ? print(`${text}\n`) : say(text);
    }
  }
}

/** The rows of several lists, one list after another. */
function rowsOf(lists: Readonly<Record<string, readonly Cell[]>>, scope: Scope): readonly (readonly string[])[] {
  return Object.entries(lists).flatMap(([of, cells]) => {
    const items = valueAt(scope.answer, of) as readonly unknown[];
    return items.map((item) => cells.map((cell) => textOf(cell, { ...scope, answer: item }) ?? "-"));
  });
}

/** Rows after fields are separated by an empty line. */
function printRows(part: Extract<Part, { empty?: string }>, scope: Scope, isSetOff: boolean): void {
  const of = "table" in part ? (part.of ?? "") : "";
  const found = valueAt(scope.answer, of.replace("?", ""));
  const items: readonly unknown[] = Array.isArray(found) ? found : [found];
  const scopes = items.map((item) => ({ ...scope, answer: item }));
  if ("lines" in part) for (const each of scopes) print(`${textOf(part.lines, each) ?? ""}\n`);
  else if (items.length > 0 || !of.endsWith("?")) {
    if (isSetOff) print("\n");
    const titles = titlesOf(part.table, items);
    printTable(
      titles.map((title) => title.replace("?", "")),
      scopes.map((each) => cellsOf(part.table, titles, each).map((cell) => cell ?? "-")),
    );
  }
  if (items.length === 0 && part.empty !== undefined) say(part.empty);
}
