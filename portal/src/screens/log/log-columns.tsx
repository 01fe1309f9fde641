// The columns of the log.

import { AccountLink } from "../../components/account-link.tsx";
import { Icon } from "../../components/icon.tsx";
import { Party } from "../../components/phone-number.tsx";
import { Mark } from "../../components/status.tsx";
import type { Column } from "../../components/table.tsx";
import { Time } from "../../components/time.tsx";
import type { Gutter } from "./gutter.ts";
import type { LogRow } from "./log-row.ts";

const FACTS: readonly Column<LogRow>[] = [
  { id: "at", head: "Time", cell: ({ at }) => <Time at={at} form="ms" />, phone: "first", className: "log-time" },
  {
    id: "kind",
    head: "Kind",
    cell: ({ kind, icon }) => (
      <>
        <Icon name={icon} small />
        <span>{kind}</span>
      </>
    ),
    phone: "first",
    className: "log-kind",
  },
  {
    id: "what",
    head: "What",
    cell: ({ what, isMono, isAfterGap }) => (
      <>
        {isAfterGap && <span className="log-gap">resumed after a cut</span>}
        <span className={isMono ? "mono" : undefined}>{what}</span>
      </>
    ),
    grow: true,
    phone: "second",
    className: "log-what",
  },
  {
    id: "who",
    head: "Who",
    cell: ({ who }) => who && <Party value={who} />,
    phone: "second-right",
    className: "log-who",
  },
  {
    id: "result",
    head: "Result",
    cell: ({ shape, tone, result }) => <Mark shape={shape} tone={tone} word={result} />,
    phone: "first-right",
    className: "log-result",
  },
  {
    id: "took",
    head: "Took",
    cell: ({ tookMs }) => (tookMs === undefined ? "" : `${tookMs} ms`),
    align: "right",
    className: "log-took",
  },
];

const ACCOUNT: Column<LogRow> = {
  id: "account",
  head: "Account",
  cell: ({ accountSid }) => accountSid !== undefined && <AccountLink sid={accountSid} />,
  className: "log-account",
};

export function columnsWith(gutter: Gutter, isOperator: boolean): readonly Column<LogRow>[] {
  const gutterColumn: Column<LogRow> = {
    id: "trace",
    head: <span className="vh">Trace</span>,
    cell: ({ id }) => {
      const place = gutter.get(id);
      return place && <i className={`log-line log-line-${place}`} />;
    },
    phone: "first",
    className: "log-gutter",
  };
  return isOperator ? [gutterColumn, ...FACTS.slice(0, 2), ACCOUNT, ...FACTS.slice(2)] : [gutterColumn, ...FACTS];
}
