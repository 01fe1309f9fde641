// Parts that the operator's screens share: pages with lists, selections, and the forms of actions. Support has read
// access only: its screens show no actions, and the server would refuse them.

import { useQuery } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { useSession } from "../../api/session.ts";
import { accountsQuery } from "../../components/account-link.tsx";
import { Button, IconButton } from "../../components/button.tsx";
import { Form, SelectField, TextField } from "../../components/form.tsx";
import { PageHead, type PageHeadProps, Section, Split } from "../../components/page.tsx";
import { useSearchState } from "../../components/search-state.ts";
import { Problem } from "../../components/verdict.tsx";
import "./operator.css";

/** Whether actions are shown. */
export function useIsAdmin(): boolean {
  return useSession().role === "admin";
}

export interface SplitPageProps extends PageHeadProps {
  readonly drawer: ReactNode;
  readonly children: ReactNode;
}

/** A page whose items open beside it. */
export function SplitPage({ drawer, children, ...head }: SplitPageProps) {
  return (
    <Split drawer={drawer}>
      <div className="operator-page">
        <PageHead {...head} />
        {children}
      </div>
    </Split>
  );
}

/** The selected row of a list, by `?sel=`; `table` is for `Table`. */
export function useSelection<Row>(rows: readonly Row[], keyOf: (row: Row) => string) {
  const [{ sel }, change] = useSearchState();
  return {
    chosen: rows.find((row) => keyOf(row) === sel),
    close: () => change({ sel: undefined }),
    table: { keyOf, selected: sel, onSelect: (row: Row) => change({ sel: keyOf(row) }) },
  };
}

/** The status that a list is filtered by (`?status=`), and the field that changes it. */
export function useStatusFilter<Status extends string>(statuses: readonly Status[]) {
  return useChoiceFilter("Status", "status", statuses);
}

/** One of several values that a list is filtered by, and the field that changes it. */
export function useChoiceFilter<Value extends string>(label: string, name: string, values: readonly Value[]) {
  const [search, change] = useSearchState();
  const known = values.find((each) => each === search[name]);
  const field = (
    <SelectField<Value | "">
      label={label}
      options={[["", "All"], ...values]}
      value={known ?? ""}
      onChange={(next) => change({ [name]: next || undefined })}
    />
  );
  return [known, field] as const;
}

/** A text that a list is filtered by, and the field that changes it. */
export function useTextFilter(label: string, name: string) {
  const [search, change] = useSearchState();
  const value = search[name] ?? "";
  const field = (
    <TextField
      label={label}
      className="mono"
      value={value}
      onChange={(next) => change({ [name]: next || undefined })}
    />
  );
  return [value.trim(), field] as const;
}

const DIGITS_MIN = 3;
const isParty = (typed: string): boolean => typed.replace(/\D/g, "").length >= DIGITS_MIN || /^sips?:./.test(typed);
const momentOf = (typed: string): string | undefined =>
  Number.isNaN(Date.parse(typed)) ? undefined : new Date(typed).toISOString();

/** As the browser's field of date and time takes it; in an address a moment may have its zone. */
function localOf(typed: string): string {
  const at = Date.parse(typed);
  if (!typed.endsWith("Z") || Number.isNaN(at)) return typed;
  return new Date(at - new Date(at).getTimezoneOffset() * 60_000).toISOString().replace(/(\.000)?Z$/, "");
}

const wordsIn = (typed: string): readonly string[] => typed.toLowerCase().split(/\s+/).filter(Boolean);

/** Whether a row has all words that were typed. */
export const hasWords = (row: string, typed: string): boolean =>
  wordsIn(typed).every((word) => row.toLowerCase().includes(word));

/** Who and when a list of texts or calls is filtered by (`?from=&to=&since=&until=`), and the fields that change it. */
export function useTrafficFilter() {
  const [{ from = "", to = "" }, change] = useSearchState();
  const [times, timeFields] = useTimeFilter();
  const filters = { ...(isParty(from) && { from }), ...(isParty(to) && { to }), ...times };
  const field = (label: string, name: string, value: string) => (
    <TextField
      label={label}
      className="mono"
      value={value}
      onChange={(next) => change({ [name]: next || undefined })}
    />
  );
  const fields = (
    <>
      {field("From", "from", from)}
      {field("To", "to", to)}
      {timeFields}
    </>
  );
  return [filters, fields] as const;
}

/** From when to when a list shows (`?since=&until=`), and the fields that change it. */
export function useTimeFilter() {
  const [{ since = "", until = "" }, change] = useSearchState();
  const [createdOnFrom, createdOnTo] = [momentOf(since), momentOf(until)];
  const filters = { ...(createdOnFrom && { createdOnFrom }), ...(createdOnTo && { createdOnTo }) };
  const field = (label: string, name: string, value: string) => (
    <TextField
      label={label}
      type="datetime-local"
      className="mono"
      value={localOf(value)}
      onChange={(next) => change({ [name]: next || undefined })}
    />
  );
  const fields = (
    <>
      {field("Since", "since", since)}
      {field("Until", "until", until)}
    </>
  );
  return [filters, fields] as const;
}

/** A button for admins that opens a form, and the form while it is open. */
export function useOpenForm(verb: string, form: (onClose: () => void) => ReactNode) {
  const isAdmin = useIsAdmin();
  const [isOpen, setOpen] = useState(false);
  const button = isAdmin && (
    <Button kind="primary" onClick={() => setOpen(true)}>
      {verb}
    </Button>
  );
  return { button, form: isOpen && form(() => setOpen(false)) };
}

export interface AccountChoiceProps {
  readonly value: string;
  readonly onChange: (sid: string) => void;
  /** The label of the empty choice. */
  readonly none: string;
}

export function AccountChoice({ value, onChange, none }: AccountChoiceProps) {
  const { data: accounts = [] } = useQuery(accountsQuery);
  const known = accounts.map(({ sid, name }) => [sid, `${name}, …${sid.slice(-6)}`] as const);
  // What is chosen already is shown before the names have loaded, too.
  const own = value === "" || known.some(([sid]) => sid === value) ? [] : [[value, `…${value.slice(-6)}`] as const];
  return <SelectField label="Account" value={value} onChange={onChange} options={[["", none], ...known, ...own]} />;
}

export interface ChecksProps<Value extends string> {
  readonly legend: string;
  readonly values: readonly Value[];
  readonly chosen: readonly Value[];
  readonly onChange: (chosen: readonly Value[]) => void;
}

export function Checks<Value extends string>({ legend, values, chosen, onChange }: ChecksProps<Value>) {
  return (
    <fieldset className="operator-checks">
      <legend>{legend}</legend>
      {values.map((value) => (
        <label key={value}>
          <input
            type="checkbox"
            checked={chosen.includes(value)}
            onChange={(event) =>
              onChange(event.target.checked ? [...chosen, value] : chosen.filter((each) => each !== value))
            }
          />
          <span className="mono">{value}</span>
        </label>
      ))}
    </fieldset>
  );
}

export interface ActionFormProps {
  readonly verb: string;
  readonly action: { readonly isPending: boolean; readonly error: unknown; readonly start: () => void };
  /** "Not created" */
  readonly failed: string;
  readonly ready?: boolean;
  readonly className?: string;
  readonly children: ReactNode;
}

/** A form with its button, and its error below. */
export function ActionForm({ verb, action, failed, ready = true, className = "", children }: ActionFormProps) {
  return (
    <Form className={`operator-form ${className}`} onSubmit={action.start}>
      {children}
      <Button type="submit" busy={action.isPending} disabled={!ready}>
        {verb}
      </Button>
      {action.error !== null && <Problem what={failed} error={action.error} />}
    </Form>
  );
}

export interface SectionFormProps extends ActionFormProps {
  readonly title: string;
  readonly onClose: () => void;
}

/** A form in a section of its own. */
export function SectionForm({ title, onClose, ...form }: SectionFormProps) {
  return (
    <Section title={title} aside={<IconButton icon="x" label="Close the form" onClick={onClose} />}>
      <ActionForm {...form} />
    </Section>
  );
}
