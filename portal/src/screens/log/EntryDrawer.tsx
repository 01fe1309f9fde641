// One entry: the verdict if it failed, the entries that belong to it (the request, what it made, and what became of
// that), its webhook deliveries, and the exact bytes.

import type { RefusedRequest, SmppPduEntry } from "@tandem/sdk";
import { useQuery } from "@tanstack/react-query";
import { client, operator } from "../../api/client.ts";
import { itemsQuery } from "../../api/queries.ts";
import { useSession } from "../../api/session.ts";
import { Button, ButtonLink, IconButton } from "../../components/button.tsx";
import { Code } from "../../components/code.tsx";
import { copyText } from "../../components/copy.ts";
import { Drawer } from "../../components/drawer.tsx";
import { Loaded } from "../../components/not-loaded.tsx";
import { Socket } from "../../components/patch.tsx";
import { Shape } from "../../components/shape.tsx";
import { failureWord } from "../../components/status.tsx";
import { type Tab, Tabs } from "../../components/tabs.tsx";
import { Time } from "../../components/time.tsx";
import { Timeline, type TimelineEntry } from "../../components/timeline.tsx";
import { deliveryEntry } from "../../components/trail.tsx";
import { Verdict } from "../../components/verdict.tsx";
import { Words } from "../../components/words.tsx";
import { duration } from "../../components/zone.ts";
import { type LogRow, pageOf } from "./log-row.ts";
import { isFailure } from "./log-shown.ts";
import { dumpOf } from "./octet-dump.ts";

export interface EntryDrawerProps {
  readonly row: LogRow;
  readonly rows: readonly LogRow[];
  readonly onNewer: () => void;
  readonly onOlder: () => void;
  /** Another entry that belongs to it, or none. */
  readonly onChoose: (row: LogRow | undefined) => void;
  /** One of the tabs below: it is in the URL. */
  readonly tab: string | undefined;
  readonly onTab: (tab: string) => void;
}

export function EntryDrawer({ row, rows, onNewer, onOlder, onChoose, tab, onTab }: EntryDrawerProps) {
  const trace = rows.filter((other) => other.trace === row.trace).toReversed();
  const isOperator = useSession().kind === "Operator";
  const page = pageOf(row, isOperator);
  const json = JSON.stringify(row.raw, null, 2);
  return (
    <Drawer
      label="Entry"
      title={row.what}
      sub={
        <>
          <Time at={row.at} form="ms" />
          <span>
            {row.kind}
            {row.tookMs !== undefined && `, took ${row.tookMs} ms`}
          </span>
        </>
      }
      buttons={
        <>
          <IconButton icon="up" label="Newer, K" onClick={onNewer} />
          <IconButton icon="down" label="Older, J" onClick={onOlder} />
        </>
      }
      footer={
        <>
          {page && (
            <ButtonLink to={page.to} small>
              {page.verb}
            </ButtonLink>
          )}
          <Button small onClick={() => void copyText(json, "Entry")}>
            Copy for support
          </Button>
          <span className="dim mono cut" title={row.trace}>
            {row.trace}
          </span>
        </>
      }
      onClose={() => onChoose(undefined)}
    >
      {row.trace.startsWith("OM") ? <MessageVerdict row={row} /> : <RefusalVerdict row={row} />}
      <Trace row={row} trace={trace} onChoose={onChoose} />
      {TOLD.test(row.trace) && <Told row={row} />}
      <section>
        <Tabs
          label="Form"
          value={tab}
          onChange={onTab}
          aside={<IconButton icon="copy" label="Copy" onClick={() => void copyText(json, "JSON")} />}
          tabs={[
            {
              id: "decoded",
              label: "Decoded",
              content: <Code label="Decoded" language="http" text={headed(row)} />,
            },
            ...bytesTab(row),
            { id: "json", label: "JSON", content: <Code label="JSON" language="json" text={json} /> },
          ]}
        />
      </section>
    </Drawer>
  );
}

/** The outcome of the whole message, if its row shows a failure. */
function MessageVerdict({ row }: { readonly row: LogRow }) {
  const { accountSid, trace } = row;
  const isOperator = useSession().kind === "Operator";
  const why = useQuery({
    queryKey: ["messages", "why", trace],
    queryFn: async ({ signal }) => {
      const { messages } = isOperator && accountSid !== undefined ? operator.account(accountSid) : client;
      return (await messages.why(trace, { signal })).data;
    },
    enabled: isFailure(row),
  });
  const summary = why.data?.summary;
  if (!isFailure(row) || !summary) return null;
  return (
    <Verdict
      tone={row.tone === "warn" ? "warn" : "bad"}
      what={failureWord(why.data?.errorCode ?? 0) ?? row.result}
      why={<Words text={summary.why} />}
      advice={summary.advice && <Words text={summary.advice} />}
    />
  );
}

function RefusalVerdict({ row }: { readonly row: LogRow }) {
  if (row.kind !== "API" || row.tone !== "bad") return null;
  const { status, code, fault, requestId } = refusalIn(row.raw);
  return (
    <Verdict
      tone="bad"
      what={`The request was refused with ${status}`}
      why={
        <>
          {fault && <>At fault: {fault}. </>}
          <span className="mono">
            {code}, req {requestId}
          </span>
        </>
      }
    />
  );
}

/** From the list of refusals, or from an entry of the stream. */
function refusalIn(
  raw: unknown,
): Pick<RefusedRequest, "status" | "code" | "requestId"> & { readonly fault?: string | null } {
  const { data } = raw as { readonly data?: RefusedRequest };
  return data ?? (raw as RefusedRequest);
}

interface TraceProps {
  readonly row: LogRow;
  readonly trace: readonly LogRow[];
  readonly onChoose: (row: LogRow) => void;
}

/** The request, what it made, and what became of that. */
function Trace({ row, trace, onChoose }: TraceProps) {
  const [first, last] = [trace[0], trace.at(-1)];
  if (!first || !last || trace.length < 2) return null;
  const since = (at: string) => Date.parse(at) - Date.parse(first.at);
  const entries: readonly TimelineEntry[] = trace.map((entry) => ({
    id: entry.id,
    mark: isFailure(entry) ? <Shape name={entry.shape} tone={entry.tone} /> : <Socket plugged />,
    title:
      entry.id === row.id ? (
        entry.what
      ) : (
        <button type="button" className="log-other" onClick={() => onChoose(entry)}>
          {entry.what}
        </button>
      ),
    aside: (
      <>
        <span className="mono dim">{entry.result}</span>
        <span className="mono dim">+{since(entry.at).toLocaleString("en")}</span>
      </>
    ),
    current: entry.id === row.id,
  }));
  return (
    <section>
      <h3>
        The trace{" "}
        <span className="dim num">
          {trace.length} steps, {duration(since(last.at))}
        </span>
      </h3>
      <Timeline entries={entries} joined tight />
    </section>
  );
}

/** What has events: messages, calls, port orders and campaigns. */
const TOLD = /^(?:(?:OM|IM|CA|PO)[0-9a-f]{32}|C[A-Z0-9]{6,7})$/;
const TOLD_MAX = 20;
const TOLD_EVERY_MS = 3000;

/** Its webhook deliveries; fetched again while one waits, because no event reports the attempts. */
function Told({ row: { trace, accountSid } }: { readonly row: LogRow }) {
  const isOperator = useSession().kind === "Operator";
  const told = useQuery({
    ...itemsQuery(["webhooks", "told", trace], (options) => {
      const { deliveries } = isOperator && accountSid !== undefined ? operator.account(accountSid) : client;
      return deliveries.list({ resourceSid: trace, pageSize: TOLD_MAX, ...options });
    }),
    enabled: !isOperator || accountSid !== undefined,
    refetchInterval: ({ state: { data } }) =>
      data?.some(({ status }) => status === "Pending") ? TOLD_EVERY_MS : false,
  });
  if (isOperator && accountSid === undefined) return null;
  return (
    <section aria-label="Who was told">
      <h3>Who was told</h3>
      <Loaded query={told} what="Who was told did not load">
        {(deliveries) =>
          deliveries.length === 0 ? (
            <p className="dim">No webhook is subscribed to it.</p>
          ) : (
            <Timeline entries={deliveries.toReversed().map((each) => deliveryEntry(each, !isOperator))} tight />
          )
        }
      </Loaded>
    </section>
  );
}

function pduIn({ raw, kind }: LogRow): SmppPduEntry | undefined {
  return kind === "SMPP" ? (raw as { readonly data: SmppPduEntry }).data : undefined;
}

function bytesTab(row: LogRow): readonly Tab[] {
  const hex = pduIn(row)?.hex;
  return hex === undefined ? [] : [{ id: "bytes", label: "Bytes", content: <Code label="Bytes" text={dumpOf(hex)} /> }];
}

/** The text of an entry: type and id of an event above its payload; everything of a request. */
function headed(row: LogRow): string {
  const { raw, what } = row;
  const fields = pduIn(row)?.fields;
  if (fields) return [what, ...fields.map(([name, value]) => `${name}: ${value}`)].join("\n");
  const { data } = raw as { readonly data?: { readonly text?: string } };
  if (data?.text !== undefined) return data.text.replaceAll("\r\n", "\n");
  if (data !== undefined) return `${what}\n${decoded(data)}`;
  const { type, id, payload } = raw as { readonly type?: string; readonly id?: string; readonly payload?: unknown };
  return payload === undefined ? `${what}\n${decoded(raw)}` : `${type} ${id}\n${decoded(payload)}`;
}

/** `name: value` a line, nested names joined by a dot. */
function decoded(value: unknown, prefix = ""): string {
  if (value === null || typeof value !== "object") return `${prefix}: ${String(value)}`;
  return Object.entries(value)
    .map(([name, inner]) => {
      const path = prefix === "" ? name : `${prefix}.${name}`;
      return inner !== null && typeof inner === "object" && Object.keys(inner).length > 0
        ? decoded(inner, path)
        : `${path}: ${Array.isArray(inner) ? "[]" : String(inner)}`;
    })
    .join("\n");
}
