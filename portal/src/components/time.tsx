// A moment, in the user's zone. UTC shows on hover; a copied time is ISO 8601.

import type { ClipboardEvent } from "react";
import { useNow } from "./use-now.ts";
import { ago, clock, dayOf, milliseconds, shortClock, utc } from "./zone.ts";
import "./time.css";

export interface TimeProps {
  /** ISO 8601. */
  readonly at: string;
  /**
   * `clock` 14:32:07, `ms` 14:32:07.918, `short` 14:32, `ago` "12 min" and for older times the shortest form, `day` 12
   * Nov 14:32.
   */
  readonly form?: "clock" | "ms" | "short" | "ago" | "day";
}

export function Time({ at, form = "clock" }: TimeProps) {
  const date = new Date(at);
  const copy = (event: ClipboardEvent) => {
    event.clipboardData.setData("text/plain", at);
    event.preventDefault();
  };
  return (
    <time className="time" dateTime={at} title={utc(date)} onCopy={copy}>
      {form === "ago" ? <Ago at={date} /> : <Fixed at={date} form={form} />}
    </time>
  );
}

function Ago({ at }: { readonly at: Date }) {
  return ago(at, useNow());
}

function Fixed({ at, form }: { readonly at: Date; readonly form: "clock" | "ms" | "short" | "day" }) {
  if (form === "short") return shortClock(at);
  if (form === "day") {
    const now = new Date();
    return at.toDateString() === now.toDateString() ? shortClock(at) : `${dayOf(at, now)} ${shortClock(at)}`;
  }
  return (
    <>
      {clock(at)}
      {form === "ms" && <small>{milliseconds(at)}</small>}
    </>
  );
}
