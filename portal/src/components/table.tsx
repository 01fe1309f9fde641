// A list of any length: only the visible rows are in the page. Keys `j` `k` (or the arrows) move the focus, Enter
// opens. On a phone a row has two lines: each column defines its place in them.
//
// Guarantees: without rows it shows why: still loading, failed (with a retry), or `empty`.

import { useNavigate } from "@tanstack/react-router";
import { useVirtualizer } from "@tanstack/react-virtual";
import {
  type KeyboardEvent,
  type MouseEvent,
  memo,
  type ReactNode,
  type RefObject,
  useEffect,
  useRef,
  useState,
} from "react";
import { useKeys } from "./keys.ts";
import { useIsPhone } from "./media.ts";
import { NotLoaded } from "./not-loaded.tsx";
import { elementsFor, type RowElements } from "./row-elements.ts";
import "./table.css";

/** The place of a cell on a phone: first or second line, left or right; or it is left out. */
export type PhonePlace = "first" | "first-right" | "second" | "second-right" | "hidden";

export interface Column<Row> {
  readonly id: string;
  readonly head: ReactNode;
  readonly cell: (row: Row) => ReactNode;
  /** Takes the width that the others leave, and truncates its text. One column has it. */
  readonly grow?: boolean;
  readonly align?: "right";
  readonly phone?: PhonePlace;
  readonly className?: string;
}

export interface TableProps<Row> {
  readonly label: string;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  readonly keyOf: (row: Row) => string;
  readonly selected?: string | undefined;
  readonly onSelect?: (row: Row) => void;
  /** The page of a row, opened as `onOpen` would be. */
  readonly pageOf?: (row: Row) => string;
  /** Enter, or a double click; `isNewTab` with ⌘ or Ctrl. */
  readonly onOpen?: (row: Row, isNewTab: boolean) => void;
  readonly rowClass?: (row: Row) => string | undefined;
  /** Cells hold no state, so that an element may be reused for another row: for lists that change quickly. */
  readonly reusesRows?: boolean;
  readonly dense?: boolean;
  /** What loads the rows: a query of TanStack Query, or anything like it. */
  readonly source?: {
    readonly isPending: boolean;
    readonly error: unknown;
    readonly refetch: () => unknown;
  };
  readonly empty?: ReactNode;
  /** Called when the end becomes visible. */
  readonly onEnd?: () => void;
  /** Called when other rows become visible: the first and the last of them. */
  readonly onSight?: (first: Row | undefined, last: Row | undefined) => void;
  readonly onScroll?: (top: number) => void;
}

const ROW_HEIGHT = 32;
const DENSE_ROW_HEIGHT = 28;
const PHONE_ROW_HEIGHT = 56;
/** Rows rendered beyond either edge; every change of the list draws them too. */
const OVERSCAN = 4;
/** The end counts as visible this many rows before the last one. */
const END_ROWS = 12;

export function Table<Row>(props: TableProps<Row>) {
  const { rows, source, empty, pageOf } = props;
  const navigate = useNavigate();
  if (rows.length === 0 && (source?.isPending || source?.error)) {
    return <NotLoaded query={source} what="The list did not load" />;
  }
  if (rows.length === 0) return <>{empty}</>;
  if (!pageOf) return <FilledTable {...props} />;
  const open = (row: Row, isNewTab: boolean) => {
    if (isNewTab) window.open(pageOf(row), "_blank", "noopener");
    else void navigate({ to: pageOf(row) });
  };
  return <FilledTable {...props} onOpen={open} />;
}

function FilledTable<Row>(props: TableProps<Row>) {
  const { label, columns, rows, keyOf, dense = false, onSelect, onOpen, onScroll } = props;
  // Where rows can be opened but not selected, the keys move the table's own cursor.
  const [cursor, setCursor] = useState<string>();
  const selected = onSelect ? props.selected : cursor;
  const scroller = useRef<HTMLElement>(null);
  const isPhone = useIsPhone();
  const rowHeight = isPhone ? PHONE_ROW_HEIGHT : dense ? DENSE_ROW_HEIGHT : ROW_HEIGHT;
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeight,
    overscan: OVERSCAN,
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: measured again when the height of a row changes
  useEffect(() => virtual.measure(), [rowHeight]);
  const items = virtual.getVirtualItems();
  const [first, last] = [items[0], items.at(-1)];
  const inSight = items.flatMap(({ index }) => rows[index] ?? []);
  useSight(props, inSight, last !== undefined && last.index >= rows.length - END_ROWS);
  const elements = useRowElements(inSight.map(keyOf), props.reusesRows === true, scroller.current);
  const at = selected === undefined ? -1 : rows.findIndex((row) => keyOf(row) === selected);
  const isMoved = useFocusAfterMove(scroller, at);
  const move = (step: number) => {
    const next = rows[Math.min(rows.length - 1, Math.max(0, at + step))];
    if (!next) return;
    if (onSelect) onSelect(next);
    else setCursor(keyOf(next));
    isMoved.current = true;
    virtual.scrollToIndex(rows.indexOf(next), { align: "auto" });
  };
  useTableKeys(props, at, move);
  const arrows = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step === undefined || !(onSelect || onOpen)) return;
    event.preventDefault();
    move(step);
  };
  return (
    <section
      className="table-scroll"
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard
      tabIndex={0}
      aria-label={label}
      ref={scroller}
      onKeyDown={arrows}
      onScroll={onScroll && ((event) => onScroll(event.currentTarget.scrollTop))}
    >
      <table className={`table${dense ? " table-dense" : ""}`} aria-rowcount={rows.length + 1}>
        <Heads columns={columns} />
        <tbody>
          <Spacer height={first?.start ?? 0} columns={columns.length} />
          {inSight.map((row, place) => (
            <TableRow
              key={elements?.get(keyOf(row)) ?? keyOf(row)}
              {...rowProps(props, row, selected)}
              row={row}
              index={(first?.index ?? 0) + place}
            />
          ))}
          <Spacer height={virtual.getTotalSize() - (last?.end ?? 0)} columns={columns.length} />
        </tbody>
      </table>
    </section>
  );
}

/** Says which rows are visible, and when the end is. */
function useSight<Row>({ onSight, onEnd }: TableProps<Row>, inSight: readonly Row[], isAtEnd: boolean): void {
  const [first, last] = [inSight[0], inSight.at(-1)];
  // biome-ignore lint/correctness/useExhaustiveDependencies: for other rows, not for another function
  useEffect(() => onSight?.(first, last), [first, last]);
  useEffect(() => {
    if (isAtEnd) onEnd?.();
  }, [isAtEnd, onEnd]);
}

/** The focus follows the keys, so that it goes on from the row, and comes back to it. */
function useFocusAfterMove(scroller: RefObject<HTMLElement | null>, at: number): RefObject<boolean> {
  const isMoved = useRef(false);
  // After every rendering: a row far away is in the page only once the list has scrolled to it.
  useEffect(() => {
    const row = isMoved.current ? scroller.current?.querySelector(`tr[aria-rowindex="${at + 2}"]`) : undefined;
    if (!(row instanceof HTMLElement)) return;
    isMoved.current = false;
    row.focus({ preventScroll: true });
  });
  return isMoved;
}

const Heads = memo(AnyHeads) as typeof AnyHeads;

function AnyHeads<Row>({ columns }: { readonly columns: readonly Column<Row>[] }) {
  return (
    <thead>
      <tr aria-rowindex={1}>
        {columns.map(({ id, head, align, className }) => (
          <th key={id} className={[align, className].filter(Boolean).join(" ")} scope="col">
            {head}
          </th>
        ))}
      </tr>
    </thead>
  );
}

function useRowElements(ids: readonly string[], isWanted: boolean, list: Element | null): RowElements | undefined {
  const elements = useRef<RowElements>(new Map());
  if (!isWanted) return undefined;
  const isHeld = Boolean(list?.querySelector("tbody :focus, tbody tr:active"));
  elements.current = elementsFor(ids, elements.current, isHeld);
  return elements.current;
}

function rowProps<Row>(props: TableProps<Row>, row: Row, selected: string | undefined) {
  const key = props.keyOf(row);
  return {
    columns: props.columns,
    isSelected: key === selected,
    isMarked: !props.onSelect && key === selected,
    className: props.rowClass?.(row),
    onSelect: props.onSelect,
    onOpen: props.onOpen,
  };
}

function useTableKeys<Row>(props: TableProps<Row>, at: number, move: (step: number) => void): void {
  const row = props.rows[at];
  useKeys({
    ...((props.onSelect || props.onOpen) && { j: () => move(1), k: () => move(-1) }),
    ...(props.onOpen &&
      row && { Enter: () => props.onOpen?.(row, false), "mod+enter": () => props.onOpen?.(row, true) }),
  });
}

interface RowProps<Row> {
  readonly row: Row;
  readonly index: number;
  readonly columns: readonly Column<Row>[];
  readonly isSelected: boolean;
  readonly isMarked: boolean;
  readonly className: string | undefined;
  readonly onSelect: ((row: Row) => void) | undefined;
  readonly onOpen: ((row: Row, isNewTab: boolean) => void) | undefined;
}

const TableRow = memo(AnyTableRow) as typeof AnyTableRow;

function AnyTableRow<Row>({ row, index, columns, isSelected, isMarked, className, onSelect, onOpen }: RowProps<Row>) {
  const press = (event: MouseEvent) => {
    // A link or a button in the row handles its own click.
    if ((event.target as Element).closest("a, button, input")) return;
    if (event.metaKey || event.ctrlKey) onOpen?.(row, true);
    else (onSelect ?? ((chosen: Row) => onOpen?.(chosen, false)))(row);
  };
  const isPressed = onSelect !== undefined || onOpen !== undefined;
  return (
    <tr
      aria-rowindex={index + 2}
      tabIndex={isPressed ? -1 : undefined}
      aria-selected={onSelect ? isSelected : undefined}
      className={[className, isPressed && "table-pressed", isMarked && "table-marked"].filter(Boolean).join(" ")}
      onClick={isPressed ? press : undefined}
      onDoubleClick={() => onOpen?.(row, false)}
    >
      <Cells row={row} columns={columns} />
    </tr>
  );
}

type CellsProps<Row> = Pick<RowProps<Row>, "row" | "columns">;

/** Not rendered again when only the position of their row changes, as in a live list with every new row. */
const Cells = memo(AnyCells) as typeof AnyCells;

function AnyCells<Row>({ row, columns }: CellsProps<Row>): ReactNode {
  return columns.map((column) => (
    <td key={column.id} className={classOf(column)}>
      {column.cell(row)}
    </td>
  ));
}

function classOf<Row>({ grow, align, phone = "hidden", className }: Column<Row>): string {
  return [grow && "table-grow", align, `table-phone-${phone}`, className].filter(Boolean).join(" ");
}

/** Takes the space of the rows that are not visible. */
function Spacer({ height, columns }: { readonly height: number; readonly columns: number }) {
  if (height <= 0) return null;
  return (
    <tr className="table-spacer" style={{ height }}>
      <td colSpan={columns} />
    </tr>
  );
}
