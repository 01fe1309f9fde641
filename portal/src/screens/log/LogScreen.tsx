// The live log: what happens now, and what did my request do? A line in the gutter joins rows that belong together; the
// drawer shows what happened, why, and what to do.

import { useEffect, useMemo } from "react";
import { live } from "../../api/live.ts";
import { useSession } from "../../api/session.ts";
import { Button, IconButton } from "../../components/button.tsx";
import { CommandLine } from "../../components/command-line.tsx";
import { copyText } from "../../components/copy.ts";
import { parseFilter } from "../../components/filter.ts";
import { FilterBar, type FilterBarProps } from "../../components/filter-bar.tsx";
import { Icon } from "../../components/icon.tsx";
import { useKeys } from "../../components/keys.ts";
import { NothingLikeThat, type NothingLikeThatProps } from "../../components/nothing-like-that.tsx";
import { Empty, Split } from "../../components/page.tsx";
import { usePlace } from "../../components/place.ts";
import { saveFile } from "../../components/save-file.ts";
import { useSearchState } from "../../components/search-state.ts";
import { Table } from "../../components/table.tsx";
import { EntryDrawer } from "./EntryDrawer.tsx";
import { gutterOf } from "./gutter.ts";
import { Histogram } from "./Histogram.tsx";
import { columnsWith } from "./log-columns.tsx";
import { FIELDS } from "./log-filter.ts";
import type { LogRow } from "./log-row.ts";
import { useLog } from "./use-log.ts";
import "./log.css";

const TOP = 4;

export function LogScreen() {
  usePlace([{ label: "Live log" }]);
  const [{ q = "", sel, tab }, change] = useSearchState();
  const isOperator = useSession().kind === "Operator";
  const terms = useMemo(() => parseFilter(q, FIELDS), [q]);
  const filter = { fields: FIELDS, q, terms, onFilter: (next: string) => change({ q: next }) };
  const { all, shown, newer, setHeld, source } = useLog(terms);
  const { rows } = shown;
  const chosen = sel === undefined ? undefined : all.find(({ id }) => id === sel);
  const gutter = useMemo(() => gutterOf(rows, chosen), [rows, chosen]);
  const columns = useMemo(() => columnsWith(gutter, isOperator), [gutter, isOperator]);
  const choose = (row: LogRow | undefined) => {
    setHeld(row !== undefined);
    change({ sel: row?.id });
  };
  // A link to a row holds the list, as selecting the row does.
  const isChosen = chosen !== undefined;
  // biome-ignore lint/correctness/useExhaustiveDependencies: only the moment at which a row is chosen counts
  useEffect(() => {
    if (isChosen) setHeld(true);
  }, [isChosen]);
  const step = (by: number, isSame: (row: LogRow) => boolean = () => true) => {
    const at = rows.findIndex(({ id }) => id === sel);
    const next = by > 0 ? rows.slice(at + 1).find(isSame) : rows.slice(0, Math.max(0, at)).findLast(isSame);
    if (next) choose(next);
  };
  useKeys({
    " ": () => (newer === undefined ? setHeld(true) : choose(undefined)),
    t: () => chosen && step(1, ({ trace }) => trace === chosen.trace),
  });
  const drawer = chosen && (
    <EntryDrawer
      key={chosen.id}
      row={chosen}
      rows={all}
      onNewer={() => step(-1)}
      onOlder={() => step(1)}
      onChoose={choose}
      tab={tab}
      onTab={(next) => change({ tab: next })}
    />
  );
  return (
    <Split className="log" drawer={drawer}>
      <h1 className="vh">Live log</h1>
      <div className="column">
        <LogFilter filter={filter} rows={rows} isOperator={isOperator} />
        {(rows.length > 0 || (!source.isPending && !source.error)) && <Histogram shown={shown} />}
        {newer !== undefined && newer > 0 && <Newer count={newer} onLive={() => choose(undefined)} />}
        <Table
          label="Entries"
          dense
          reusesRows
          columns={columns}
          rows={rows}
          keyOf={({ id }) => id}
          selected={sel}
          onSelect={choose}
          onOpen={choose}
          rowClass={({ trace }) => (trace === chosen?.trace ? "log-on" : undefined)}
          source={source}
          empty={<Nothing filter={filter} isOperator={isOperator} />}
          onScroll={(top) => (chosen === undefined ? setHeld(top > TOP) : undefined)}
          onEnd={() => void live.loadOlder()}
        />
        <KeysLine />
      </div>
    </Split>
  );
}

function Newer({ count, onLive }: { readonly count: number; readonly onLive: () => void }) {
  return (
    <button type="button" className="log-newer" onClick={onLive}>
      <Icon name="up" small />
      <b className="num">{count.toLocaleString("en")}</b> newer while you read. Back to live <kbd>Space</kbd>
    </button>
  );
}

interface LogFilterProps {
  readonly filter: FilterBarProps["filter"];
  readonly rows: readonly LogRow[];
  readonly isOperator: boolean;
}

function LogFilter({ filter, rows, isOperator }: LogFilterProps) {
  const lines = () => rows.map(({ raw }) => `${JSON.stringify(raw)}\n`);
  const save = () => saveFile("tandem-log.ndjson", lines(), "application/x-ndjson");
  return (
    <FilterBar filter={filter} placeholder="status:4xx  to:+1415*  trace:…">
      <Button small onClick={() => filter.onFilter("status:failed")}>
        Failures
      </Button>
      <span className="hide-phone">
        <Button small onClick={() => filter.onFilter("kind:API")}>
          {isOperator ? "API calls" : "My API calls"}
        </Button>
      </span>
      <IconButton
        framed
        icon="link"
        label="Copy a link to this view"
        onClick={() => void copyText(location.href, "Link")}
      />
      <IconButton framed icon="download" label="Save as NDJSON" onClick={save} />
    </FilterBar>
  );
}

interface NothingProps {
  readonly filter: NothingLikeThatProps["filter"];
  readonly isOperator: boolean;
}

function Nothing({ filter, isOperator }: NothingProps) {
  const why = isOperator
    ? "Texts, calls and requests of all accounts show here as they happen. Try one:"
    : "Texts, calls and what your programs ask of the API show here as they happen. Try one:";
  return (
    <NothingLikeThat what="Nothing of the newest 5,000 is like that" filter={filter}>
      <Empty what="Nothing has happened yet" why={why}>
        <CommandLine
          words={isOperator ? "accounts create Shop" : "send --to +14154740200 --text 'Hello from Tandem'"}
        />
      </Empty>
    </NothingLikeThat>
  );
}

function KeysLine() {
  return (
    <footer className="log-keys hide-phone">
      <span>
        <kbd>J</kbd> <kbd>K</kbd> move
      </span>
      <span>
        <kbd>↵</kbd> open
      </span>
      <span>
        <kbd>T</kbd> follow the trace
      </span>
      <span>
        <kbd>/</kbd> filter
      </span>
      <span>
        <kbd>Space</kbd> live
      </span>
      <span className="log-kept">This view holds the newest 5,000.</span>
    </footer>
  );
}
