// One link or trunk beside the list: its state and why, and the button that stops or starts it.

import { operator } from "../../api/client.ts";
import { Button } from "../../components/button.tsx";
import { Drawer } from "../../components/drawer.tsx";
import { type FactList, Facts } from "../../components/page.tsx";
import { Status } from "../../components/status.tsx";
import { Time } from "../../components/time.tsx";
import { useAction } from "../../components/use-action.ts";
import { Verdict } from "../../components/verdict.tsx";
import { useIsAdmin } from "./operator-parts.tsx";
import { isWell, type Way } from "./ways.ts";

export function WayDrawer({ way, onClose }: { readonly way: Way; readonly onClose: () => void }) {
  const isAdmin = useIsAdmin();
  return (
    <Drawer
      label={`${way.carries} by ${way.name}`}
      title={way.name}
      sub={`${way.protocol} to ${way.carrier}, for ${way.carries}`}
      onClose={onClose}
    >
      {!isWell(way) && <Trouble way={way} />}
      <div className="operator-block">
        {isAdmin && <Switch way={way} />}
        <Facts facts={factsOf(way)} />
      </div>
    </Drawer>
  );
}

function Trouble({ way: { state, reason, stoppedOn, carries, name } }: { readonly way: Way }) {
  if (stoppedOn !== null) {
    return (
      <Verdict
        tone="warn"
        what={`${name} is stopped`}
        why="An operator stopped it; a restart does not start it."
        advice={`Start it when it may carry ${carries} again.`}
      />
    );
  }
  return (
    <Verdict
      tone={state === "down" ? "bad" : "warn"}
      what={`${name} is ${state}`}
      why={reason}
      advice={`It tries again by itself. ${carries === "calls" ? "Calls" : "Messages"} take other ways meanwhile.`}
    />
  );
}

function factsOf(way: Way): FactList {
  const { window, inFlight, p95Ms, since, stoppedOn, asOf, reason } = way;
  return [
    ["State", <Status key="state" kind="link" value={way.state} />],
    ["Says", reason || "nothing"],
    ["Since", since === null ? "not looked at yet" : <Time key="since" at={since} form="day" />],
    ["In flight", window === null ? `${inFlight}, no limit` : `${inFlight} of ${window}`],
    ["Rate", `${way.perSecond}/s`],
    ["Answer p95", p95Ms === null ? "no answers in the last minute" : `${p95Ms.toLocaleString()} ms`],
    ...(stoppedOn === null ? [] : [["Stopped", <Time key="stopped" at={stoppedOn} form="day" />] as const]),
    ...(asOf === null ? [] : [["Reported", <Time key="reported" at={asOf} />] as const]),
  ];
}

function Switch({ way: { isTrunk, name, stoppedOn, carries } }: { readonly way: Way }) {
  const ways = isTrunk ? operator.trunks : operator.links;
  const stop = useAction({
    ask: () => ({
      question: `Stop ${name}?`,
      cost: `New ${carries} take other ways, or wait. It stays stopped until an operator starts it.`,
      verb: "Stop it",
      refuse: "Let it run",
    }),
    run: () => ways.stop(name),
    nouns: ["links"],
    done: () => `${name} is stopped.`,
    failed: "Not switched.",
  });
  const start = useAction({
    run: () => ways.start(name),
    nouns: ["links"],
    done: () => `${name} is started.`,
    failed: "Not switched.",
  });
  return stoppedOn === null ? (
    <Button kind="danger" busy={stop.isPending} onClick={() => stop.start()}>
      Stop {name}
    </Button>
  ) : (
    <Button kind="primary" busy={start.isPending} onClick={() => start.start()}>
      Start {name}
    </Button>
  );
}
