// The parts of a page: its head, its ruled sections, facts in two columns, and the empty state.

import { type ReactNode, useId } from "react";
import "./page.css";

export interface PageHeadProps {
  readonly title: ReactNode;
  /** Below the title: a few facts. */
  readonly sub?: ReactNode;
  readonly buttons?: ReactNode;
}

export function PageHead({ title, sub, buttons }: PageHeadProps) {
  return (
    <div className="page-head">
      <div>
        <h1>{title}</h1>
        {sub && <div className="page-sub">{sub}</div>}
      </div>
      {buttons && <div className="page-buttons">{buttons}</div>}
    </div>
  );
}

export interface SplitProps {
  /** The item that is open. */
  readonly drawer: ReactNode;
  readonly className?: string;
  readonly children: ReactNode;
}

/** A list, and beside it the item that is open. */
export function Split({ drawer, className = "", children }: SplitProps) {
  return (
    <div className={`split ${drawer ? "split-open" : ""} ${className}`}>
      {children}
      {drawer}
    </div>
  );
}

export interface SectionProps {
  readonly title: ReactNode;
  /** A count beside the title. */
  readonly count?: ReactNode;
  /** At the right end of the head: a link. */
  readonly aside?: ReactNode;
  readonly className?: string;
  readonly children: ReactNode;
}

export function Section({ title, count, aside, className = "", children }: SectionProps) {
  const id = useId();
  return (
    <section className={`section ${className}`} aria-labelledby={id}>
      <header>
        <h2 id={id}>{title}</h2>
        {count !== undefined && <span className="dim num">{count}</span>}
        {aside && <span className="section-aside">{aside}</span>}
      </header>
      {children}
    </section>
  );
}

/** `[["Sid", <Sid … />], …]` */
export type FactList = readonly (readonly [string, ReactNode])[];

export function Facts({ facts }: { readonly facts: FactList }) {
  return (
    <dl className="facts">
      {facts.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

export interface EmptyProps {
  /** "No webhooks yet" */
  readonly what: ReactNode;
  /** What it is for, or why it is empty. */
  readonly why?: ReactNode;
  /** Code that works as pasted, and buttons. */
  readonly children?: ReactNode;
}

export function Empty({ what, why, children }: EmptyProps) {
  return (
    <div className="empty">
      <p className="strong">{what}</p>
      {why && <p className="mid">{why}</p>}
      {children}
    </div>
  );
}

/** Grey bars, shown only after 150 ms. */
export function Loading({ rows = 4 }: { readonly rows?: number }) {
  return (
    <div className="loading" role="status">
      <span className="vh">Loading</span>
      {Array.from({ length: rows }, (_, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the bars are all alike
        <div key={at}>
          <i />
          <i />
          <i />
        </div>
      ))}
    </div>
  );
}
