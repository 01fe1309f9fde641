// What a plain command of `tandem` is: one call of the API, described as data beside the operation that it calls. The
// command line is built from it, and so are the API explorer's snippets, docs/commands.md and the lines that tests run.
//
// A cell describes how a value is shown. `{status}` is a member of the answer, `{summary.what}` a nested one, `{<sid>}`
// an argument or option as given. `{reason!}` also counts as missing when it is empty, 0 or false; `{enabled?on}` is
// the word `on` where the member is true; `{text|short}` is formatted (cli/cells.ts). If a value is missing, its whole
// text is missing, and the next text of the list is tried. If none is left, a table shows a dash and a line is left
// out.

export type Cell = string | readonly string[];

/**
 * Title → cell. A title that ends with `?` is shown only where an item has that member; one with `*` is shown for each
 * entry of the record that its cell names.
 */
export type Columns = Readonly<Record<string, Cell>>;

/** What is printed of an answer, part by part. */
export type Part =
  /**
   * Rows: the items of a list, the single answer, or the items of the member `of`; where that ends with `?`, a table
   * without rows is left out. `empty` is printed where there are no rows.
   */
  | { readonly table: Columns; readonly of?: string; readonly empty?: string }
  /** A table of several lists: the member of each list → the cells of its rows. `{}` is an item itself. */
  | { readonly titles: readonly string[]; readonly rows: Readonly<Record<string, readonly Cell[]>> }
  /** The text of each row, one after another. */
  | { readonly lines: Cell; readonly empty?: string }
  /** A line for each field. */
  | { readonly fields: Columns }
  /** A line on standard output. */
  | { readonly print: Cell }
  /** A line on standard error, so that the output can be piped. */
  | { readonly say: Cell }
  /** The octets of the answer are written to a file of this name, unless `--out` names another. */
  | { readonly file: Cell; readonly text: string };

/** How a value of the command line is parsed (cli/kinds.ts). By default as the member's schema defines. */
export type Kind =
  | "text"
  | "textOrNone"
  | "count"
  | "countOrNone"
  | "yesOrNo"
  | "since"
  | "ahead"
  | "oneOf"
  | "someOf"
  | "several"
  | "commaWords"
  | "errorCode"
  | "refusalStatus"
  | "eventType"
  | "eventTypes"
  | "sendingTimes"
  | "limits"
  | "countries";

export interface Reading {
  readonly kind?: Kind;
  readonly isRequired?: true;
  readonly default?: string | number;
  /** For an option without a value: what its presence means; true by default. */
  readonly value?: boolean;
  /** The other option that it cannot be combined with. */
  readonly conflicts?: string;
  /** Further members that are set when it is given. */
  readonly with?: Readonly<Record<string, unknown>>;
}

/** The member of the request, in the path, the query or the body; without help, its allowed words are listed. */
export type Input = readonly [member: string, help?: string | undefined, reading?: Reading];

export interface CommandDescription {
  /** As in `calls hangup`. */
  readonly name: string;
  readonly about: string;
  /** Shown in the list of commands; `about` by default. */
  readonly summary?: string;
  /** For a command that belongs to no group. */
  readonly example?: string;
  /** `<sid>`, `[place]` or `<number...>` → what it is; the member has the same name by default. */
  readonly arguments?: Readonly<Record<string, string | Input>>;
  /** `--status <status>` → its member. `--json` alone sets the position of that option, by default the last. */
  readonly options?: Readonly<Record<string, Input | null>>;
  /** Members of the body that the command itself sets. */
  readonly sets?: Readonly<Record<string, unknown>>;
  /** The message that refuses a change without any member. */
  readonly needs?: string;
  /** What is printed as text. */
  readonly shows: readonly Part[];
  /** For an answer without a body: the word for what was done, in JSON. */
  readonly done?: string;
  /** The member that is the whole answer in JSON. */
  readonly only?: string;
  /** The refusal where the answer has no such member. */
  readonly lacks?: string;
  /** The remark on an answer with 200, where 201 is the answer to a change. */
  readonly unchanged?: string;
  /** The list of what failed: the command ends with 1 unless it is empty. */
  readonly failed?: string;
  /** The help of `--json`. */
  readonly json?: string;
  /** Also run when its group is given without a command. */
  readonly isDefault?: true;
  /** The number of items shown is limited by default; otherwise all are shown. */
  readonly isLimited?: true;
  /** Operators have a different command for this. */
  readonly isAccountsOnly?: true;
  /** Of two commands with one name, the one for sids with this prefix. */
  readonly sids?: string;
}

/** An argument or an option, with all that its schema says about it. */
export interface PlainInput extends Omit<Reading, "kind"> {
  /** `<sid>`, or `-o, --out <file>`. */
  readonly shown: string;
  readonly help: string;
  /** The member of the request. */
  readonly to: string;
  readonly kind: Kind;
  readonly words?: readonly string[];
}

/** A command as npm run generate prints it: its description, and the method of the SDK that it calls. */
export interface PlainCommand
  extends Omit<CommandDescription, "arguments" | "options" | "json" | "isLimited" | "isAccountsOnly"> {
  /** The caller: an account, an operator, or an operator who views an account. */
  readonly who: "account" | "operator" | "view";
  readonly call: string;
  /** The arguments of the method before its options. */
  readonly takes: readonly string[];
  readonly answers: "pages" | "items" | "one" | "nothing";
  readonly arguments: readonly PlainInput[];
  readonly options: readonly (PlainInput | "--json")[];
  readonly json: string;
  /** For an operator's command that can also read one account: the method of that account's view. */
  readonly ofAccount?: string;
}

/**
 * Columns that show members unchanged: `members("createdOn, sid, End = endReason")`. Titles are derived by default:
 * `createdOn` becomes Created, and `messagingConfigSid` Config.
 */
export function members(list: string): Columns {
  const columns = list.split(", ").map((each) => {
    const [title = "", member = title] = each.split(" = ");
    return [member === title ? titleOf(member) : title, `{${member}}`];
  });
  return Object.fromEntries(columns);
}

function titleOf(member: string): string {
  const bare = member.replace(/^(tcr|messaging)(?=[A-Z])/, "").replace(/(?<=.)(On|Sid|Id)$/, "");
  return bare.charAt(0).toUpperCase() + bare.slice(1);
}
