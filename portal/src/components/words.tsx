// Sentences of the server, with the times and numbers in them shown as everywhere in the portal: in the user's zone,
// grouped.

import type { ReactNode } from "react";
import { PhoneNumber } from "./phone-number.tsx";
import { Time } from "./time.tsx";

const PARTS = /(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,3})?Z|\+\d{7,15}\b)/;

export function Words({ text }: { readonly text: string }) {
  return text.split(PARTS).map((part, at) => {
    // Every second part is a match.
    if (at % 2 === 0) return part;
    const key = `${at} ${part}`;
    return part.startsWith("+") ? <PhoneNumber key={key} value={part} /> : <Time key={key} at={part} form="day" />;
  });
}

/** Ids and other text of the API. */
export function Mono({ children }: { readonly children: ReactNode }) {
  return <span className="mono">{children}</span>;
}
