// Parts that the operator's screens share: lists of several pages, actions and their forms. Support has read access
// only: its screens show no actions, and the server would refuse them.

import type { Answer, Listing } from "@tandem/sdk";
import { useInfiniteQuery, useMutation, useQuery } from "@tanstack/react-query";
import { type ReactNode, useCallback } from "react";
import { queries } from "../../api/queries.ts";
import { useSession } from "../../api/session.ts";
import { accountsQuery } from "../../components/account-link.tsx";
import { Button, IconButton } from "../../components/button.tsx";
import { Field, Input } from "../../components/field.tsx";
import { Section } from "../../components/page.tsx";
import { toast } from "../../components/toast.tsx";
import { Problem } from "../../components/verdict.tsx";
import "./operator.css";

/** Whether actions are shown. */
export function useIsAdmin(): boolean {
  return useSession().role === "admin";
}

export interface AccountChoiceProps {
  readonly value: string;
  readonly onChange: (sid: string) => void;
  /** The label of the empty choice. */
  readonly none: string;
}

export function AccountChoice({ value, onChange, none }: AccountChoiceProps) {
  const { data } = useQuery(accountsQuery);
  return (
    <Field label="Account">
      {(given) => (
        <select {...given} className="input" value={value} onChange={(event) => onChange(event.target.value)}>
          <option value="">{none}</option>
          {data?.map(({ sid, name }) => (
            <option key={sid} value={sid}>
              {name}, …{sid.slice(-6)}
            </option>
          ))}
        </select>
      )}
    </Field>
  );
}

export interface TextFieldProps {
  readonly label: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly hint?: string;
  readonly placeholder?: string;
  readonly mono?: boolean;
  readonly type?: "text" | "number" | "datetime-local";
}

export function TextField({ label, value, onChange, hint, placeholder, mono = false, type }: TextFieldProps) {
  return (
    <Field label={label} hint={hint}>
      {(given) => (
        <Input
          {...given}
          type={type ?? "text"}
          className={mono ? "mono" : ""}
          placeholder={placeholder}
          value={value}
          onChange={(event) => onChange(event.target.value)}
        />
      )}
    </Field>
  );
}

export interface ChoiceProps<Value extends string> {
  readonly label: string;
  readonly values: readonly Value[];
  readonly value: Value | "";
  readonly onChange: (value: Value | "") => void;
  /** The label of the empty choice; without it one of the values is required. */
  readonly none?: string;
}

export function Choice<Value extends string>({ label, values, value, onChange, none }: ChoiceProps<Value>) {
  return (
    <Field label={label}>
      {(given) => (
        <select
          {...given}
          className="input"
          value={value}
          onChange={(event) => onChange(values.find((each) => each === event.target.value) ?? "")}
        >
          {none !== undefined && <option value="">{none}</option>}
          {values.map((each) => (
            <option key={each}>{each}</option>
          ))}
        </select>
      )}
    </Field>
  );
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

/** An infinite list for `Table`, loaded as it is scrolled. */
export function usePages<Row>(
  key: readonly unknown[],
  page: (options: { readonly signal: AbortSignal; readonly searchId?: string }) => Listing<Row>,
) {
  const source = useInfiniteQuery({
    queryKey: key,
    queryFn: async ({ signal, pageParam }) => (await page({ signal, ...(pageParam && { searchId: pageParam }) })).data,
    initialPageParam: "",
    getNextPageParam: ({ searchId }) => searchId,
  });
  const { hasNextPage, isFetching, fetchNextPage } = source;
  const onEnd = useCallback(() => {
    if (hasNextPage && !isFetching) void fetchNextPage();
  }, [hasNextPage, isFetching, fetchNextPage]);
  return { source, onEnd, rows: (source.data?.pages ?? []).flatMap(({ items }) => items) };
}

export interface Deed<Given, Data> {
  readonly run: (given: Given) => Promise<Answer<Data>>;
  /** The nouns whose lists the action makes stale. */
  readonly nouns: readonly string[];
  /** "The order is completed." */
  readonly done: (data: Data, given: Given) => string | undefined;
  readonly onDone?: (data: Data, given: Given) => void;
  /** For actions without a form to show the error: "Not stopped." */
  readonly failed?: string;
}

/** An action of an operator: afterwards the lists of its nouns are refetched. */
export function useDeed<Data, Given = void>({ run, nouns, done, onDone, failed }: Deed<Given, Data>) {
  return useMutation({
    mutationFn: run,
    onSuccess: ({ data }, given) => {
      for (const noun of [...nouns, "attention", "audit"]) void queries.invalidateQueries({ queryKey: [noun] });
      const said = done(data, given);
      if (said !== undefined) toast.done(said);
      onDone?.(data, given);
    },
    onError: (error) => failed !== undefined && toast.problem(failed, error),
  });
}

export interface DeedFormProps {
  readonly title: string;
  readonly verb: string;
  readonly deed: { readonly isPending: boolean; readonly error: unknown };
  /** "Not created" */
  readonly failed: string;
  readonly ready?: boolean;
  readonly onSubmit: () => void;
  readonly onClose?: () => void;
  readonly children: ReactNode;
}

/** A form in a section of its own, which also shows its error. */
export function DeedForm({ title, verb, deed, failed, ready = true, onSubmit, onClose, children }: DeedFormProps) {
  return (
    <Section title={title} aside={onClose && <IconButton icon="x" label="Close the form" onClick={onClose} />}>
      <form
        className="operator-form"
        onSubmit={(event) => {
          event.preventDefault();
          onSubmit();
        }}
      >
        {children}
        <Button type="submit" busy={deed.isPending} disabled={!ready}>
          {verb}
        </Button>
        {deed.error !== null && <Problem what={failed} error={deed.error} />}
      </form>
    </Section>
  );
}
