// Writes a text: counts its segments, tries it without sending (dry run), sends it now or later. A refusal shows why in
// place.

import type { MessageDryRun, MessageOrder } from "@tandem/sdk";
import { useMutation, useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { type KeyboardEvent, useRef, useState } from "react";
import { countSegments } from "../../../../rules/sms/segment.ts";
import { phonesQuery } from "../../api/account-queries.ts";
import { client } from "../../api/client.ts";
import { queries } from "../../api/queries.ts";
import { Button, IconButton } from "../../components/button.tsx";
import { useDraftKey } from "../../components/draft-key.ts";
import { Input } from "../../components/field.tsx";
import { MOD } from "../../components/keys.ts";
import { Problem, Verdict } from "../../components/verdict.tsx";
import { Words } from "../../components/words.tsx";

export interface ComposerProps {
  readonly to: string;
  /** The number to send from; without one, the first that is Active. */
  readonly from: string | undefined;
  /** The number to send from is not known yet. */
  readonly isLoading: boolean;
  readonly onFrom: (number: string) => void;
}

interface Draft {
  readonly text: string;
  readonly mediaUrl: string | undefined;
  /** Of a datetime-local field, in the user's zone. */
  readonly sendAt: string | undefined;
}

const EMPTY: Draft = { text: "", mediaUrl: undefined, sendAt: undefined };

function orderOf(to: string, from: string, { text, mediaUrl, sendAt }: Draft) {
  return {
    from,
    to,
    ...(text !== "" && { text }),
    ...(mediaUrl && { mediaUrls: [mediaUrl.trim()] }),
    ...(sendAt && { sendAt: new Date(sendAt).toISOString() }),
  };
}

/** Sends the draft once, however often it is asked for before the answer is there. */
function useSending(order: MessageOrder, onSent: () => void) {
  const { key, next } = useDraftKey(order);
  // The page shows that it sends only with its next frame; keys may come before.
  const isUnderWay = useRef(false);
  const sending = useMutation({
    mutationFn: () => client.messages.send(order, { idempotencyKey: key }),
    onSuccess: () => {
      next();
      void queries.invalidateQueries({ queryKey: ["messages"] });
      onSent();
    },
    onSettled: () => {
      isUnderWay.current = false;
    },
  });
  const send = () => {
    if (isUnderWay.current) return;
    isUnderWay.current = true;
    sending.mutate();
  };
  return { ...sending, send };
}

export function Composer({ to, from, isLoading, onFrom }: ComposerProps) {
  const [draft, setDraft] = useState(EMPTY);
  const phones = useQuery(phonesQuery);
  const active = (phones.data ?? []).flatMap(({ status, number }) => (status === "Active" ? [number] : [])).sort();
  const navigate = useNavigate();
  const sender = from ?? (isLoading ? "" : (active[0] ?? ""));
  const order = orderOf(to.trim(), sender, draft);
  const rehearsal = useMutation({ mutationFn: async () => (await client.messages.rehearse(order)).data });
  const sending = useSending(order, () => {
    setDraft(EMPTY);
    rehearsal.reset();
    void navigate({ to: `/messages/${order.to}` });
  });
  const change = (part: Partial<Draft>) => {
    setDraft({ ...draft, ...part });
    sending.reset();
    rehearsal.reset();
  };
  const speakAs = (number: string) => {
    onFrom(number);
    change({});
  };
  // Without a sender it would be refused for that alone: the conversation or the numbers are still being loaded.
  const isUnready = (draft.text === "" && !draft.mediaUrl) || (sender === "" && (isLoading || phones.isPending));
  const isSendable = !isUnready && order.to !== "";
  const press = (event: KeyboardEvent) => {
    if (event.key !== "Enter" || !(event.metaKey || event.ctrlKey)) return;
    event.preventDefault();
    if (isSendable) sending.send();
  };
  return (
    <footer className="composer">
      {(sending.error ?? rehearsal.error) && <Problem what="Not sent" error={sending.error ?? rehearsal.error} />}
      {rehearsal.data && <Rehearsal outcome={rehearsal.data} />}
      <div className="composer-box">
        <textarea
          aria-label="Text"
          rows={2}
          placeholder="Write a text"
          value={draft.text}
          onChange={(event) => change({ text: event.target.value })}
          onKeyDown={press}
        />
        <Extras draft={draft} onChange={change} />
        <div className="composer-row">
          <Switches draft={draft} onChange={change} />
          <Sender numbers={active} value={sender} onChange={speakAs} />
          <Segments text={draft.text} />
          <span className="composer-buttons">
            <Button small busy={rehearsal.isPending} disabled={isUnready} onClick={() => rehearsal.mutate()}>
              Dry run
            </Button>
            <Button
              small
              kind="primary"
              icon="send"
              hint={`${MOD} ↵`}
              busy={sending.isPending}
              disabled={!isSendable}
              onClick={sending.send}
            >
              {draft.sendAt ? "Schedule" : "Send"}
            </Button>
          </span>
        </div>
      </div>
    </footer>
  );
}

interface DraftProps {
  readonly draft: Draft;
  readonly onChange: (part: Partial<Draft>) => void;
}

/** Each button opens a field, or closes it again. */
function Switches({ draft, onChange }: DraftProps) {
  return (
    <>
      <IconButton
        icon="clip"
        label="Attach by URL"
        aria-pressed={draft.mediaUrl !== undefined}
        onClick={() => onChange({ mediaUrl: draft.mediaUrl === undefined ? "" : undefined })}
      />
      <IconButton
        icon="clock"
        label="Send later"
        aria-pressed={draft.sendAt !== undefined}
        onClick={() => onChange({ sendAt: draft.sendAt === undefined ? "" : undefined })}
      />
    </>
  );
}

interface SenderProps {
  /** Those that are Active. */
  readonly numbers: readonly string[];
  readonly value: string;
  readonly onChange: (number: string) => void;
}

/** Which number speaks, where there is a choice. */
function Sender({ numbers, value, onChange }: SenderProps) {
  const choices = [...new Set([value, ...numbers])];
  if (value === "" || choices.length < 2) return null;
  return (
    <select
      className="composer-from"
      aria-label="From"
      value={value}
      onChange={(event) => onChange(event.target.value)}
    >
      {choices.map((number) => (
        <option key={number} value={number}>
          {number}
        </option>
      ))}
    </select>
  );
}

function Extras({ draft, onChange }: DraftProps) {
  return (
    <>
      {draft.mediaUrl !== undefined && (
        <Input
          aria-label="Address of the picture"
          placeholder="https://… (a picture, sound or PDF: makes it an MMS)"
          value={draft.mediaUrl}
          onChange={(event) => onChange({ mediaUrl: event.target.value })}
        />
      )}
      {draft.sendAt !== undefined && (
        <Input
          type="datetime-local"
          aria-label="Send at"
          value={draft.sendAt}
          onChange={(event) => onChange({ sendAt: event.target.value })}
        />
      )}
    </>
  );
}

function Segments({ text }: { readonly text: string }) {
  const { units, unitsMax, count, encoding } = countSegments(text);
  return (
    <span className="composer-segments cut">
      <span className="num">{units}</span> of {unitsMax}, {count} {count === 1 ? "segment" : "segments"}, {encoding}
    </span>
  );
}

function Rehearsal({ outcome }: { readonly outcome: MessageDryRun }) {
  const { wouldSend, refusals, recipients, segmentCount, encoding } = outcome;
  if (!wouldSend) {
    return (
      <Verdict
        tone="bad"
        what="It would be refused"
        why={refusals.map(({ errorCode, message }) => (
          <span key={errorCode} className="composer-refusal">
            <Words text={message} /> <span className="mono dim">code {errorCode}</span>
          </span>
        ))}
      />
    );
  }
  const whom = recipients.map(({ type, carrier }) => [type, carrier].filter(Boolean).join(", ")).join("; ");
  return (
    <Verdict
      tone="ok"
      what="It would be sent"
      why={`${segmentCount} ${segmentCount === 1 ? "segment" : "segments"} in ${encoding}, to ${whom}. Nothing was sent.`}
    />
  );
}
