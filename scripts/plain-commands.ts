// Generates src/cli/commands.generated.ts: the plain commands of `tandem`, from the descriptions beside the operations.
// The values of an option come from the schema of its member. The generation fails for a member that the request does
// not have, and for a cell that names nothing of the answer.

import { plainCommandsOf } from "../src/adapters/http/core/operation.ts";
import type {
  Cell,
  Columns,
  CommandDescription,
  Input,
  Kind,
  Part,
  PlainCommand,
  PlainInput,
} from "../src/base/plain-command.ts";
import type { DocumentedOperation } from "../src/server/parts/api.ts";
import { type Document, memberOf, type OperationTypes, operationTypes, type Schema } from "./sdk-types.ts";

const HEADER = `// The plain commands, from the operations that they call: npm run generate. Not written by hand.

import type { PlainCommand } from "../base/plain-command.ts";

export const PLAIN_COMMANDS: readonly PlainCommand[] = `;

export function plainCommandsFile(operations: readonly DocumentedOperation[], document: object): string {
  return `${HEADER}${JSON.stringify(plainCommands(operations, document), null, 2)};\n`;
}

export function plainCommands(operations: readonly DocumentedOperation[], document: object): readonly PlainCommand[] {
  const types = operationTypes(document);
  const described = operations.flatMap((documented) =>
    plainCommandsOf(documented.operation).map((command) =>
      new CommandPrinter(documented, types.get(documented.name), document as Document).command(command),
    ),
  );
  // An operator's own command and the operator's view of an account's command are merged into one.
  const views = new Map(described.filter(({ who }) => who === "view").map((view) => [view.name, view.call]));
  const owned = new Set(described.filter(({ who }) => who === "operator").map(({ name }) => name));
  return described
    .filter(({ who, name }) => who !== "view" || !owned.has(name))
    .map((command) => {
      const ofAccount = command.who === "operator" ? views.get(command.name) : undefined;
      return { ...command, ...(ofAccount !== undefined && { ofAccount }) };
    });
}

class CommandPrinter {
  readonly #documented: DocumentedOperation;
  readonly #types: OperationTypes;
  readonly #document: Document;
  readonly #members: ReadonlyMap<string, Schema>;
  readonly #answer: Schema | undefined;

  constructor(documented: DocumentedOperation, types: OperationTypes | undefined, document: Document) {
    const [method = "", path = ""] = documented.name.split(" ");
    const page = document.paths[path]?.[method.toLowerCase()];
    if (!types || !page) throw new Error(`${documented.name} is not documented`);
    this.#documented = documented;
    this.#types = types;
    this.#document = document;
    const body = page.requestBody?.content?.["application/json"]?.schema;
    this.#members = new Map([
      ...page.parameters.map(({ name, schema }) => [memberOf(name), schema] as const),
      ...Object.entries(this.#resolved(body).properties ?? {}).map(
        ([name, schema]) => [memberOf(name), schema] as const,
      ),
    ]);
    const [, success] = Object.entries(page.responses).find(([status]) => status < "300") ?? [];
    this.#answer = success?.content?.["application/json"]?.schema;
  }

  command(described: CommandDescription): PlainCommand {
    const { operation } = this.#documented;
    const { sdk = "", id } = operation;
    const { arguments: taken = {}, options: _, json, isLimited: __, isAccountsOnly: ___, ...rest } = described;
    const isView = sdk.startsWith("account(accountSid).");
    const [, call = "", given] = /^([\w.]+?)(?:\((.*)\))?$/.exec(sdk.replace("account(accountSid).", "")) ?? [];
    const inPath = this.#types.params.map((param) => param.name).filter((param) => !isView || param !== "accountSid");
    const takes = given?.split(", ") ?? [...inPath, ...(this.#types.body === undefined ? [] : ["body"])];
    const isList = this.#types.item !== undefined && operation.method === "GET";
    const answers = this.#answersOf(id);
    for (const member of Object.keys(rest.sets ?? {})) this.#memberNamed(member);
    for (const member of [rest.only, rest.failed]) if (member !== undefined) this.#at(this.#answer, member);
    this.#checkParts(rest.shows, isList ? this.#resolved(this.#answer).properties?.items?.items : this.#answer);
    return {
      ...rest,
      who: isView ? "view" : operation.who === "operator" ? "operator" : "account",
      call,
      // A query as a whole is passed like a body.
      takes: takes.map((each) => (each === "query" ? "body" : memberOf(each.replace("?", "")))),
      answers,
      arguments: Object.entries(taken).map(([shown, input]) => this.#argument(shown, input)),
      options: this.#options(described),
      json: json ?? (isList ? "print JSON instead of a table" : "print JSON"),
    };
  }

  #answersOf(id: string): PlainCommand["answers"] {
    const { answer, item, query } = this.#types;
    if (answer === "undefined") return "nothing";
    if (item === undefined || this.#documented.operation.method !== "GET") return "one";
    return id.startsWith("list") && query?.members.includes("searchId") ? "pages" : "items";
  }

  #argument(shown: string, input: string | Input): PlainInput {
    const name = shown.replace(/\W/g, "");
    return this.#input(shown, typeof input === "string" ? [name, input] : input);
  }

  #options({ options = {}, isLimited }: CommandDescription): PlainCommand["options"] {
    const limit: readonly PlainInput[] = isLimited
      ? [{ shown: "--limit <n>", help: "so many at most", to: "limit", kind: "count" }]
      : [];
    const printed = Object.entries(options).flatMap(([shown, input]) =>
      input === null ? [...limit, "--json" as const] : [this.#input(shown, input)],
    );
    return "--json" in options ? printed : [...printed, ...limit, "--json"];
  }

  #input(shown: string, [member, help, reading = {}]: Input): PlainInput {
    const to = memberOf(member);
    const schema = to === "out" ? { type: "string" } : this.#memberNamed(to);
    const kind = reading.kind ?? this.#kindOf(schema, shown);
    const words = kind === "oneOf" || kind === "someOf" ? this.#wordsOf(schema) : undefined;
    for (const name of Object.keys(reading.with ?? {})) this.#memberNamed(name);
    return { ...reading, shown, help: help ?? words?.join(", ") ?? "", to, kind, ...(words && { words }) };
  }

  #memberNamed(name: string): Schema {
    const schema = this.#members.get(memberOf(name));
    if (!schema) throw new Error(`${this.#documented.name} takes no ${name}`);
    return schema;
  }

  #kindOf(schema: Schema, shown: string): Kind {
    const { type, format, nullable, items, enum: words } = this.#resolved(schema);
    if (words) return "oneOf";
    if (items) return shown.includes("...") ? "text" : this.#resolved(items).enum ? "someOf" : "several";
    if (type === "integer") return (nullable ?? schema.nullable) ? "countOrNone" : "count";
    if (type === "boolean") return "yesOrNo";
    if (format === "date-time") return "since";
    return nullable || schema.nullable ? "textOrNone" : "text";
  }

  #wordsOf(schema: Schema): readonly string[] {
    const { enum: words, items } = this.#resolved(schema);
    return (words ?? this.#resolved(items).enum ?? []).filter((word) => typeof word === "string");
  }

  #resolved(schema: Schema | undefined): Schema {
    const [part] = schema?.allOf ?? schema?.anyOf ?? [];
    const ref = schema?.$ref ?? part?.$ref;
    const found = ref === undefined ? schema : this.#document.components.schemas[ref.slice(ref.lastIndexOf("/") + 1)];
    return found === schema ? (schema ?? {}) : this.#resolved(found);
  }

  #checkParts(parts: readonly Part[], answer: Schema | undefined): void {
    for (const part of parts) {
      if ("table" in part) this.#checkColumns(part.table, this.#at(answer, part.of?.replace("?", "") ?? ""));
      else if ("rows" in part)
        for (const [of, cells] of Object.entries(part.rows)) this.#checkCell(cells.flat(), this.#at(answer, of));
      else if ("fields" in part) this.#checkColumns(part.fields, answer);
      else if ("lines" in part) this.#checkCell(part.lines, answer);
      else if ("print" in part) this.#checkCell(part.print, answer);
      else if ("say" in part) this.#checkCell(part.say, answer);
    }
  }

  #checkColumns(columns: Columns, answer: Schema | undefined): void {
    for (const [title, cell] of Object.entries(columns)) {
      if (!title.endsWith("?")) this.#checkCell(title.includes("*") ? `{${String(cell)}}` : cell, answer);
    }
  }

  #checkCell(cell: Cell, answer: Schema | undefined): void {
    for (const [, path = ""] of [cell]
      .flat()
      .join(" ")
      .matchAll(/\{([\w.]+)/g))
      this.#at(answer, path);
  }

  /** The schema of a member, also inside lists. */
  #at(schema: Schema | undefined, path: string): Schema | undefined {
    return path.split(".").reduce((at: Schema | undefined, name) => {
      const known = this.#resolved(at);
      const { properties } = known.items ? this.#resolved(known.items) : known;
      if (name !== "" && !properties?.[name]) throw new Error(`${this.#documented.name} answers no ${path}`);
      return name === "" ? (known.items ?? at) : properties?.[name];
    }, schema);
  }
}
