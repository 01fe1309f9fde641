// Nodes: which processes serve the database, in which version, and what each holds; draining one of them.

import type { Node } from "@tandem/sdk";
import { useQuery } from "@tanstack/react-query";
import { operator } from "../../api/client.ts";
import { itemsQuery } from "../../api/queries.ts";
import { Button } from "../../components/button.tsx";
import { Drawer } from "../../components/drawer.tsx";
import { ListPage } from "../../components/list-page.tsx";
import { Empty, type FactList, Facts } from "../../components/page.tsx";
import { usePlace } from "../../components/place.ts";
import { Sid } from "../../components/sid.tsx";
import { Status } from "../../components/status.tsx";
import { type Column, Table } from "../../components/table.tsx";
import { Time } from "../../components/time.tsx";
import { useAction } from "../../components/use-action.ts";
import { Verdict } from "../../components/verdict.tsx";
import { useIsAdmin, useSelection } from "./operator-parts.tsx";

const EVERY_MS = 5000;

const nodesQuery = { ...itemsQuery(["nodes"], (options) => operator.nodes.list(options)), refetchInterval: EVERY_MS };

const COLUMNS: readonly Column<Node>[] = [
  { id: "host", head: "Node", cell: ({ host }) => <b className="strong">{host}</b>, phone: "first" },
  { id: "state", head: "State", cell: ({ state }) => <Status kind="node" value={state} />, phone: "first-right" },
  { id: "version", head: "Version", cell: ({ version }) => version, phone: "second-right" },
  { id: "roles", head: "Roles", cell: ({ roles }) => roles.join(", ") },
  { id: "holds", head: "Holds", cell: holdsOf, grow: true, phone: "second" },
  { id: "clock", head: "Clock", cell: ({ clock }) => (clock === "ok" ? "right" : clock) },
  { id: "since", head: "Since", cell: ({ startedOn }) => <Time at={startedOn} form="day" />, align: "right" },
];

const counted = (count: number, noun: string) => `${count} ${noun}${count === 1 ? "" : "s"}`;

function holdsOf({ leases, webhookSlots, calls, links }: Node): string {
  const held = [
    ...(leases.includes("Sending") ? [`sending over ${counted(links.length, "link")}`] : []),
    ...(leases.includes("Webhooks") ? [`webhooks of ${counted(webhookSlots, "slot")}`] : []),
    ...(leases.includes("Calls") ? [counted(calls, "call")] : []),
  ];
  return held.join(", ") || "nothing";
}

export function NodesScreen() {
  usePlace([{ label: "Nodes" }]);
  const query = useQuery(nodesQuery);
  const nodes = query.data ?? [];
  const { chosen, close, table } = useSelection(nodes, ({ sid }) => sid);
  const versions = new Set(nodes.map(({ version }) => version));
  return (
    <ListPage
      title="Nodes"
      sub={
        query.data && (
          <>
            <span className="num">
              {counted(nodes.length, "node")}, {nodes.filter(({ state }) => state === "Ready").length} ready
            </span>
            <span className="num">{counted(versions.size, "version")}</span>
          </>
        )
      }
      drawer={chosen && <NodeDrawer node={chosen} onClose={close} />}
    >
      <Table
        {...table}
        label="Nodes"
        columns={COLUMNS}
        rows={nodes}
        source={query}
        empty={<Empty what="No nodes" why="The processes have not reported yet." />}
      />
    </ListPage>
  );
}

function NodeDrawer({ node, onClose }: { readonly node: Node; readonly onClose: () => void }) {
  const isAdmin = useIsAdmin();
  return (
    <Drawer label={`Node ${node.host}`} title={node.host} sub={node.url} onClose={onClose}>
      <Trouble node={node} />
      <div className="operator-block">
        {isAdmin && node.drainAskedOn === null && <Drain node={node} />}
        <Facts facts={factsOf(node)} />
      </div>
    </Drawer>
  );
}

function Trouble({ node: { host, state, clock, drainAskedOn } }: { readonly node: Node }) {
  if (state === "Silent") {
    return (
      <Verdict
        tone="bad"
        what={`${host} is silent`}
        why="It hangs, is cut off from the database, or has ended without saying so."
        advice="Other nodes take over what it held. Look at its log, and start it again."
      />
    );
  }
  if (clock !== "ok") {
    return (
      <Verdict
        tone="bad"
        what={`The clock of ${host} is wrong`}
        why={`It is ${clock}, so this node leaves work to others.`}
        advice="Set it right, and keep it right by NTP."
      />
    );
  }
  if (state === "Draining" || drainAskedOn !== null) {
    return (
      <Verdict
        tone="warn"
        what={`${host} is draining`}
        why="It takes nothing new, lets its calls and requests end, and then ends itself."
        advice="Start it again when it may serve."
      />
    );
  }
  return null;
}

function factsOf(node: Node): FactList {
  const { sid, version, roles, state, links, clock, startedOn, seenOn, drainAskedOn } = node;
  return [
    ["State", <Status key="state" kind="node" value={state} />],
    ["Version", version],
    ["Roles", roles.join(", ")],
    ["Holds", holdsOf(node)],
    ["Links", links.join(", ") || "none"],
    ["Clock", clock === "ok" ? "right" : clock],
    ["Since", <Time key="since" at={startedOn} form="day" />],
    ["Reported", <Time key="seen" at={seenOn} />],
    ...(drainAskedOn === null ? [] : [["To drain", <Time key="drain" at={drainAskedOn} form="day" />] as const]),
    ["Sid", <Sid key="sid" value={sid} full />],
  ];
}

function Drain({ node: { sid, host } }: { readonly node: Node }) {
  const drain = useAction({
    ask: () => ({
      question: `Drain ${host}?`,
      cost: "It takes nothing new, lets its calls and requests end, and then ends. Whoever runs it starts it again.",
      verb: "Drain it",
      refuse: "Let it run",
    }),
    run: () => operator.nodes.drain(sid),
    nouns: ["nodes"],
    done: () => `${host} is draining.`,
    failed: "Not drained.",
  });
  return (
    <Button kind="danger" busy={drain.isPending} onClick={() => drain.start()}>
      Drain {host}
    </Button>
  );
}
