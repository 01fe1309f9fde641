// Every number of a move: its progress, what holds it up, and its whole history when opened.

import type { Migration, MigrationNumber, PortOrder } from "@tandem/sdk";
import { Link } from "@tanstack/react-router";
import { useMemo } from "react";
import { IconButton } from "../../components/button.tsx";
import { useIsPhone } from "../../components/media.ts";
import { Empty, Section } from "../../components/page.tsx";
import { Socket } from "../../components/patch.tsx";
import { PhoneNumber } from "../../components/phone-number.tsx";
import { useSearchState } from "../../components/search-state.ts";
import { Shape } from "../../components/shape.tsx";
import { Mark, markOf, Status } from "../../components/status.tsx";
import { type Column, Table } from "../../components/table.tsx";
import { Time } from "../../components/time.tsx";
import { Timeline } from "../../components/timeline.tsx";
import { isHeld, type NumberStep, numberSteps, orderedNumber } from "./migration-steps.ts";

interface NumbersProps {
  readonly migration: Migration;
  readonly orders: readonly PortOrder[];
}

const ROWS_SEEN = 12;
const HEAD_HEIGHT = 27;
const ROW_HEIGHT = 32;
const PHONE_ROW_HEIGHT = 56;

export function MigrationNumbers({ migration, orders }: NumbersProps) {
  const [{ number: chosen }, change] = useSearchState();
  const isPhone = useIsPhone();
  const columns = useMemo(() => columnsOf(orders), [orders]);
  const { numbers } = migration;
  const rows = Math.min(numbers.length, ROWS_SEEN);
  const height = isPhone ? rows * PHONE_ROW_HEIGHT : HEAD_HEIGHT + rows * ROW_HEIGHT;
  const open = numbers.find(({ number }) => number === chosen);
  return (
    <Section title="Numbers" count={numbers.length} aside={<Legend />}>
      {numbers.length === 0 ? (
        <Empty what="No number is on its way" why="They are ordered with a letter of authorization." />
      ) : (
        <div className="migration-table" style={{ height }}>
          <Table
            label="Numbers of this move"
            columns={columns}
            rows={numbers}
            keyOf={({ number }) => number}
            selected={chosen}
            onSelect={({ number }) => change({ number: number === chosen ? undefined : number })}
          />
        </div>
      )}
      {open && <NumberWay number={open} onClose={() => change({ number: undefined })} />}
    </Section>
  );
}

function Legend() {
  return (
    <span className="track-legend hide-phone">
      <b>1</b> port agreed <b>2</b> messaging <b>3</b> voice <b>4</b> in campaign
    </span>
  );
}

function columnsOf(orders: readonly PortOrder[]): readonly Column<MigrationNumber>[] {
  return [
    { id: "number", head: "Number", cell: ({ number }) => <PhoneNumber value={number} />, phone: "first" },
    {
      id: "track",
      head: (
        <span className="track-head">
          <i>1</i>
          <i>2</i>
          <i>3</i>
          <i>4</i>
        </span>
      ),
      cell: (number) => <Track steps={numberSteps(number, orderedNumber(orders, number))} />,
      phone: "second",
    },
    { id: "status", head: "Status", cell: (number) => <NumberStatus number={number} />, phone: "first-right" },
    {
      id: "since",
      head: "Since",
      cell: ({ timeline }) => timeline.length > 0 && <Time at={timeline.at(-1)?.at ?? ""} form="day" />,
      phone: "second-right",
    },
    {
      id: "note",
      head: <span className="vh">Note</span>,
      cell: noteOf,
      grow: true,
      className: "migration-note dim",
      phone: "hidden",
    },
  ];
}

function NumberStatus({ number }: { readonly number: MigrationNumber }) {
  if (isHeld(number)) return <Mark shape="act" tone="warn" word={heldWord(number)} />;
  return <Status kind="number" value={number.status} />;
}

const heldWord = ({ portReason }: MigrationNumber) => (/\bPIN\b/.test(portReason ?? "") ? "PIN refused" : "Held up");

function noteOf(number: MigrationNumber) {
  if (number.status === "Active") return "";
  if (number.status === "PendingTcrCampaignAdd" && number.activatesOn) {
    return (
      <>
        Can send from <Time at={number.activatesOn} form="day" />
      </>
    );
  }
  return number.portReason?.replace(/^[A-Z_]+: /, "") ?? number.statusReason ?? "";
}

function Track({ steps }: { readonly steps: readonly NumberStep[] }) {
  const done = steps.filter(({ state }) => state === "done").length;
  const first = steps.find(({ state }) => state === "held");
  return (
    <span className="track" role="img" aria-label={`${done} of 4 done${first ? `, ${first.name}: held up` : ""}`}>
      {steps.map(({ name, state }, at) => (
        <span key={name} className={`track-step track-${state}`} title={`${name}: ${TITLES[state]}`}>
          {at > 0 && <span className={isJoined(steps, at) ? "cable" : "cable cable-open"} />}
          <Socket plugged={state === "done"} />
        </span>
      ))}
    </span>
  );
}

const TITLES = { done: "yes", held: "held up", open: "not yet" };

const isJoined = (steps: readonly NumberStep[], at: number) =>
  steps[at]?.state === "done" && steps[at - 1]?.state === "done";

/** The history of one number, from its order to now. */
function NumberWay({ number, onClose }: { readonly number: MigrationNumber; readonly onClose: () => void }) {
  const entries = number.timeline.map(({ at, status, reason }, place) => {
    const { shape, tone, word } = markOf("number", status);
    return {
      id: `${at} ${status}`,
      mark: <Shape name={shape} tone={tone} />,
      title: word,
      aside: <Time at={at} form="day" />,
      detail: reason,
      current: place === number.timeline.length - 1,
    };
  });
  return (
    <section className="number-way" aria-label={`The way of ${number.number}`}>
      <header>
        <h3>
          The way of <PhoneNumber value={number.number} />
        </h3>
        <Link to={`/numbers/${encodeURIComponent(number.number)}`} className="link">
          Open the number
        </Link>
        <IconButton icon="x" label="Close" onClick={onClose} />
      </header>
      {number.portReason && <p className="mid">{number.portReason}</p>}
      {entries.length === 0 ? (
        <p className="dim">Its events are older than what is kept.</p>
      ) : (
        <Timeline entries={entries} />
      )}
    </section>
  );
}
