// The SIP messages of a call: a ladder between its parties, and the selected message as it was sent. The selected
// message and the leg are in the URL (`?sip=7&leg=Second`).

import type { Call, CallTrail } from "@tandem/sdk";
import { useQuery } from "@tanstack/react-query";
import type { KeyboardEvent } from "react";
import { IconButton } from "../../components/button.tsx";
import { partiesOf } from "../../components/call-parties.ts";
import { Code } from "../../components/code.tsx";
import { copyText } from "../../components/copy.ts";
import { NotLoaded } from "../../components/not-loaded.tsx";
import { Empty, Section } from "../../components/page.tsx";
import { Party } from "../../components/phone-number.tsx";
import { useSearchState } from "../../components/search-state.ts";
import { sipQuery } from "./call-queries.ts";
import { type LadderRow, ladderOf, type MessageRow, stopwatch } from "./sip-rows.ts";

export interface SipLadderProps {
  readonly call: Call;
  readonly trail: CallTrail | undefined;
}

export function SipLadder({ call, trail }: SipLadderProps) {
  const sip = useQuery(sipQuery(call));
  const [{ sip: chosenId, leg }, change] = useSearchState();
  const messages = sip.data ?? [];
  const rows = ladderOf(call, messages, trail).filter(
    (row) => leg === undefined || row.kind === "joined" || (row.kind === "message" && row.message.leg === leg),
  );
  const sent = rows.filter((row): row is MessageRow => row.kind === "message");
  const chosen = sent.find(({ id }) => id === chosenId) ?? sent[0];
  const keys = rows.filter(({ kind }) => kind === "key").length;
  const count = `${messages.length} messages${keys > 0 ? `, ${keys} key ${keys === 1 ? "press" : "presses"}` : ""}`;
  return (
    <Section
      title="SIP"
      className="sip"
      count={sip.data && <span className="hide-phone">{count}</span>}
      aside={
        messages.length > 0 && (
          <>
            <button
              type="button"
              className="link"
              onClick={() => change({ leg: leg === undefined ? "Second" : undefined, sip: undefined })}
            >
              {leg === undefined ? "Only the second leg" : "Both legs"}
            </button>
            <a className="link" href={`/v1/Voice/Calls/${call.sid}/sip.pcap`} download={`${call.sid}.pcap`}>
              Save as PCAP
            </a>
          </>
        )
      }
    >
      {!sip.data && <NotLoaded query={sip} what="The SIP messages did not load" />}
      {sip.data && messages.length === 0 && (
        <Empty what="No SIP messages" why="Nothing was sent yet, or they are not kept any more." />
      )}
      {chosen && (
        <div className="sip-grid">
          <Ladder call={call} rows={rows} chosen={chosen.id} onChoose={(id) => change({ sip: id })} />
          <Raw call={call} row={chosen} />
        </div>
      )}
    </Section>
  );
}

interface LadderProps {
  readonly call: Call;
  readonly rows: readonly LadderRow[];
  readonly chosen: string;
  readonly onChoose: (id: string) => void;
}

function Ladder({ call, rows, chosen, onChoose }: LadderProps) {
  const { first, second } = partiesOf(call);
  const start = Date.parse(call.createdOn);
  const move = (event: KeyboardEvent<HTMLOListElement>) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step === undefined) return;
    event.preventDefault();
    const buttons = [...event.currentTarget.querySelectorAll("button")];
    const next = buttons[buttons.indexOf(document.activeElement as HTMLButtonElement) + step];
    next?.focus();
    next?.click();
  };
  return (
    <div className="ladder">
      <div className="ladder-head">
        <span className="dim">from start</span>
        <span>
          <b>
            <Party value={first} />
          </b>
        </span>
        <span className="ladder-us">
          <b>Tandem</b>
        </span>
        <span className="ladder-second">
          <b>
            <Party value={second} />
          </b>
        </span>
      </div>
      <ol onKeyDown={move}>
        {rows.map((row) => (
          <li key={row.id} className={row.kind === "joined" ? "ladder-joined" : undefined}>
            {row.kind === "message" ? (
              <MessageLine row={row} start={start} isChosen={row.id === chosen} onChoose={onChoose} />
            ) : (
              <MomentLine row={row} start={start} />
            )}
          </li>
        ))}
      </ol>
    </div>
  );
}

interface MessageLineProps {
  readonly row: MessageRow;
  readonly start: number;
  readonly isChosen: boolean;
  readonly onChoose: (id: string) => void;
}

function MessageLine({ row, start, isChosen, onChoose }: MessageLineProps) {
  const { leg, direction } = row.message;
  const isRightward = (leg === "First") === (direction === "Received");
  const marks = [
    "arrow",
    `leg-${leg}`,
    isRightward ? "arrow-right" : "arrow-left",
    row.isProvisional && "arrow-provisional",
    row.isRefusal && "arrow-refusal",
  ];
  const way = direction === "Sent" ? "to" : "from";
  return (
    <button type="button" className="ladder-row" aria-pressed={isChosen} onClick={() => onChoose(row.id)}>
      <span className="ladder-time">{stopwatch(Date.parse(row.at) - start)}</span>
      <span className="ladder-line">
        <Rails />
        <span className={marks.filter(Boolean).join(" ")}>
          <span>
            {row.word}
            {row.hasSdp && <small>SDP</small>}
            {row.isAgain && <small>again</small>}
            <span className="vh">
              {way} the {leg.toLowerCase()} leg
            </span>
          </span>
        </span>
      </span>
    </button>
  );
}

function MomentLine({ row, start }: { readonly row: LadderRow; readonly start: number }) {
  return (
    <div className="ladder-row">
      <span className="ladder-time">{stopwatch(Date.parse(row.at) - start)}</span>
      {row.kind === "joined" ? (
        <span className="ladder-line">
          <span className="ladder-bar">Both legs joined</span>
        </span>
      ) : (
        <span className="ladder-line">
          <Rails />
          <span className="arrow leg-First arrow-right arrow-media">
            <span>key pressed</span>
          </span>
        </span>
      )}
    </div>
  );
}

function Rails() {
  return (
    <>
      <i />
      <i />
      <i />
    </>
  );
}

function Raw({ call, row }: { readonly call: Call; readonly row: MessageRow }) {
  const { direction, peer, transport, text } = row.message;
  const after = stopwatch(Date.parse(row.at) - Date.parse(call.createdOn));
  const bytes = new TextEncoder().encode(text).length.toLocaleString("en");
  return (
    <div className="sip-raw">
      <div className="raw-head">
        <span className="strong cut">
          {row.word} {direction === "Sent" ? "to" : "from"} <span className="mono">{peer}</span>
        </span>
        <span className="dim cut">
          {after} s, {bytes} bytes, {transport}
        </span>
        <IconButton icon="copy" label="Copy the message" onClick={() => void copyText(text, "Message")} />
      </div>
      <Code text={text.replaceAll("\r\n", "\n").trimEnd()} language="http" label="The message as it was sent" />
    </div>
  );
}
