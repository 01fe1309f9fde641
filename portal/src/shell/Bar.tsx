// The bar: where you are, the palette, whether the page is live, and the zone of its times.

import { Link } from "@tanstack/react-router";
import { Fragment, type ReactNode } from "react";
import { live, useLive } from "../api/live.ts";
import { Icon } from "../components/icon.tsx";
import { MOD } from "../components/keys.ts";
import { Lamp } from "../components/patch.tsx";
import { useCrumbs } from "../components/place.ts";
import { Shape } from "../components/shape.tsx";
import { useNow } from "../components/use-now.ts";
import { zoneName } from "../components/zone.ts";
import { ViewsMenu } from "./ViewsMenu.tsx";

export function Bar({ isSandbox, onFind }: { readonly isSandbox: boolean; readonly onFind: () => void }) {
  return (
    <header className="bar">
      <Crumbs />
      {isSandbox && (
        <span className="bar-sandbox" title="Nothing here reaches a real network">
          Sandbox
        </span>
      )}
      <div className="bar-right">
        <button type="button" className="bar-find" onClick={onFind}>
          <Icon name="search" />
          <span>Find or jump to…</span>
          <span className="bar-keys">
            <kbd>{MOD}</kbd>
            <kbd>K</kbd>
          </span>
        </button>
        <ViewsMenu />
        <LiveButton />
        <span className="bar-zone hide-phone" title="Your time zone. Hover any time for UTC.">
          {zoneName(new Date())}
        </span>
      </div>
    </header>
  );
}

function Crumbs() {
  const crumbs = useCrumbs();
  const page = crumbs.at(-1);
  const back = crumbs.at(-2)?.to;
  return (
    <>
      <nav className="crumbs" aria-label="Where you are">
        {crumbs.map(({ label, shown, to }, at) => (
          <Fragment key={label}>
            {at > 0 && <Icon name="chev" />}
            {to && at < crumbs.length - 1 ? <Crumb to={to}>{shown ?? label}</Crumb> : <span>{shown ?? label}</span>}
          </Fragment>
        ))}
      </nav>
      <div className="bar-title">
        {back && (
          <Link to={back} title="Back">
            <Icon name="back" />
            <span className="vh">Back</span>
          </Link>
        )}
        <span>{page?.short ?? page?.shown ?? page?.label}</span>
      </div>
    </>
  );
}

/** The way back, which is not the current page, though its address begins that one's. */
function Crumb({ to, children }: { readonly to: string; readonly children: ReactNode }) {
  return (
    <Link to={to} activeOptions={{ exact: true }}>
      {children}
    </Link>
  );
}

/** Live, Held (a screen holds its rows), Paused, Reconnecting. */
function LiveButton() {
  const state = useLive();
  const now = useNow(1000);
  if (state.kind === "reconnecting") {
    const seconds = Math.max(0, Math.ceil(((state.retryAt ?? 0) - now.getTime()) / 1000));
    return (
      <span className="live live-warn">
        <Shape name="retry" tone="warn" />
        <span>Reconnecting</span>
        <span className="live-rate">{seconds} s</span>
      </span>
    );
  }
  if (state.kind !== "live") {
    const word = state.kind === "paused" ? "Paused" : "Not live";
    return (
      <button
        type="button"
        className="live"
        title="Nothing new is shown. Click to go live."
        onClick={() => live.resume()}
      >
        <Icon name="pause" small />
        <span>{word}</span>
      </button>
    );
  }
  const isHeld = state.held !== undefined;
  return (
    <button
      type="button"
      className="live"
      title={isHeld ? "Held while you read. Click to go live." : "Updates arrive as they happen. Click to pause."}
      onClick={() => (isHeld ? live.hold(undefined) : live.pause())}
    >
      <Lamp lit={!isHeld} />
      <span>{isHeld ? "Held" : "Live"}</span>
      <span className="live-rate">{isHeld ? `${state.held} newer` : `${live.perSecond(now.getTime())}/s`}</span>
    </button>
  );
}
