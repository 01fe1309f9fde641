// What a plain command of `tandem` is: one call of the API, described as data beside the operation that it calls. The
// command line is built from it, and so are the API explorer's snippets, docs/commands.md and the lines that tests run.
//
// A cell says how a value is shown. `{status}` is a member of the answer, `{summary.what}` one within it, `{<sid>}` an
// argument or option as it was given. `{reason!}` is missing also when it is empty, 0 or false; `{enabled?on}` is the
// word `on` where the member is true; `{text|short}` is formatted (cli/cells.ts). Where a value is missing, the whole
// text is, and the next of several is tried. Without any, a table shows a dash and a line is left out.

export type Cell = string | readonly string[];

/**
 * Title → cell. One whose title ends with `?` is shown where an item has that member at all; one with `*` is shown for
 * each entry of the record that its cell names.
 */
export type Columns = Readonly<Record<string, Cell>>;

/** What is printed of an answer, part by part. */
export type Part =
  /**
   * Rows: the items of a list, the one answer, or the items of the member `of`; where that ends with `?`, a table
   * without rows is left out. `empty` is said where there are none.
   */
  | { readonly table: Columns; readonly of?: string; readonly empty?: string }
  /** The text of each row, one after another. */
  | { readonly lines: Cell; readonly empty?: string }
  /** A line for each. */
  | { readonly fields: Columns }
  /** A line on standard output. */
  | { readonly print: Cell }
  /** A line on standard error, so that the output can be piped. */
  | { readonly say: Cell }
  /** The octets of the answer go to a file of this name, unless `--out` names another. */
  | { readonly file: Cell; readonly text: string };

/** How a value of the command line is read (cli/kinds.ts). By default as the member's schema says. */
export type Kind =
  | "text"
  | "textOrNone"
  | "count"
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
  /** Of an option without a value: what its presence means; true unless told. */
  readonly value?: boolean;
  /** The other option that it cannot stand beside. */
  readonly conflicts?: string;
}

/** The member of the request, in the path, the query or the body; without help, the words it can be are told. */
export type Input = readonly [member: string, help?: string | undefined, reading?: Reading];

export interface CommandDescription {
  /** As in `calls hangup`. */
  readonly name: string;
  readonly about: string;
  /** In the list of commands; by default as `about`. */
  readonly summary?: string;
  /** Of one that stands in no group. */
  readonly example?: string;
  /** `<sid>`, `[place]` or `<number...>` → what it is; the member has the same name unless told. */
  readonly arguments?: Readonly<Record<string, string | Input>>;
  /** `--status <status>` → its member. `--json` alone says where that option stands, by default after all. */
  readonly options?: Readonly<Record<string, Input | null>>;
  /** Members of the body that the command itself sets. */
  readonly sets?: Readonly<Record<string, unknown>>;
  /** The sentence that refuses a change of nothing. */
  readonly needs?: string;
  /** What is printed as text. */
  readonly shows: readonly Part[];
  /** Of an answer without a body: the word for what was done, in JSON. */
  readonly done?: string;
  /** The member that is all of the answer in JSON. */
  readonly only?: string;
  /** The help of `--json`. */
  readonly json?: string;
  /** Also what its group does when it stands alone. */
  readonly isDefault?: true;
  /** So many items are shown unless told; else all. */
  readonly isLimited?: true;
  /** Operators have another command for the same. */
  readonly isAccountsOnly?: true;
  /** Of two commands with one name, the one for sids that begin so. */
  readonly sids?: string;
}

/** An argument or an option, with all that its schema says of it. */
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
  extends Pick<
    CommandDescription,
    "name" | "about" | "summary" | "example" | "sets" | "needs" | "shows" | "done" | "only" | "isDefault" | "sids"
  > {
  /** Who asks: an account, an operator, or an operator who looks at an account. */
  readonly who: "account" | "operator" | "view";
  readonly call: string;
  /** What the method takes before its options. */
  readonly takes: readonly string[];
  readonly answers: "pages" | "items" | "one" | "nothing";
  readonly arguments: readonly PlainInput[];
  readonly options: readonly (PlainInput | "--json")[];
  readonly json: string;
  /** Of an operator's command that can also read one account: the method of that account's view. */
  readonly ofAccount?: string;
}

/**
 * Columns that show members as they are: `members("createdOn, sid, End = endReason")`. Without a title, `createdOn` is
 * called Created, and `messagingConfigSid` Config.
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
