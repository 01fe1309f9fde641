// Shown in place of missing data: grey bars while it loads, or why it did not load, with the request's id and a retry.
// So no screen shows a zero or an empty list that is not true.

import type { ReactNode } from "react";
import { againSeconds } from "../api/queries.ts";
import { Button } from "./button.tsx";
import { Countdown } from "./countdown.tsx";
import { Loading } from "./page.tsx";
import { Problem } from "./verdict.tsx";

export interface NotLoadedProps {
  /** A query without data. */
  readonly query: { readonly error: unknown; readonly refetch: () => unknown };
  /** "The order did not load" */
  readonly what: string;
  readonly rows?: number;
}

export function NotLoaded({ query: { error, refetch }, what, rows }: NotLoadedProps) {
  const seconds = againSeconds(error);
  if (!error) return <Loading {...(rows !== undefined && { rows })} />;
  return (
    <Problem
      what={what}
      error={error}
      // Trying again shows the bars, so that each failure has a countdown of its own.
      advice={seconds !== undefined && <Countdown seconds={seconds} run={refetch} />}
    >
      <Button small icon="replay" onClick={() => void refetch()}>
        Try again
      </Button>
    </Problem>
  );
}

export interface LoadedProps<Data> extends Omit<NotLoadedProps, "query"> {
  readonly query: NotLoadedProps["query"] & { readonly data: Data | undefined };
  readonly children: (data: Data) => ReactNode;
}

/** Shows the data of a query, or why there is none. */
export function Loaded<Data>({ children, ...rest }: LoadedProps<Data>) {
  const { data } = rest.query;
  return data === undefined ? <NotLoaded {...rest} /> : children(data);
}
