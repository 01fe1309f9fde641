// ⌘K: jump, do, look up. Arrow keys move, Enter goes, ⌘Enter opens a new tab.

import type { SavedView } from "@tandem/sdk";
import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { type KeyboardEvent, useEffect, useState } from "react";
import { live } from "../api/live.ts";
import { viewsQuery } from "../api/saved-views.ts";
import { Dialog } from "../components/dialog.tsx";
import { Icon, type IconName } from "../components/icon.tsx";
import { MOD } from "../components/keys.ts";
import { type NumberReader, useNumberReader } from "../components/number-reader.ts";
import { foundSections, isSearched, useFound } from "./found.ts";
import { type Highlight, highlightIn, movedBy } from "./highlight.ts";
import { type Jump, jumpsFor, numbersLike } from "./jumps.ts";
import type { Group } from "./navigation.ts";
import { setTheme } from "./theme.ts";
import "./palette.css";

interface Choice {
  /** Of one choice of the list only: by it the highlighted one is known. */
  readonly id: string;
  readonly label: string;
  readonly icon: IconName;
  readonly key?: string;
  readonly to?: string;
  readonly run?: () => void;
}

interface PaletteProps {
  readonly groups: readonly Group[];
  readonly isOperator: boolean;
  readonly onClose: () => void;
}

/** The newest first; lost when the page is closed. */
let recent: readonly Jump[] = [];
const RECENT_MAX = 5;
const VIEWS_MAX = 8;

const ACCOUNT_ACTIONS: readonly Choice[] = [
  { id: "text", label: "Send a text", icon: "send", to: "/messages/new", key: "C" },
  { id: "call", label: "Place a call", icon: "call", to: "/calls?place=yes" },
  { id: "subscribe", label: "Subscribe a URL to events", icon: "webhook", to: "/webhooks?subscribe=yes" },
  { id: "move", label: "Move a campaign here", icon: "campaign", to: "/campaigns?move=new" },
];

type Section = readonly [title: string, choices: readonly Choice[]];

interface Typed {
  readonly text: string;
  readonly groups: readonly Group[];
  readonly isOperator: boolean;
  readonly readNumber: NumberReader;
  readonly views: readonly SavedView[];
  /** What the server found, by kind. */
  readonly found: readonly Section[];
}

function choicesFor({ text, groups, isOperator, readNumber, views, found }: Typed): readonly Section[] {
  const wanted = text.trim().toLowerCase();
  const isWanted = ({ label }: Choice) => label.toLowerCase().includes(wanted);
  const pages = groups
    .flatMap(({ destinations }) => destinations)
    .map(
      ({ to, label, icon, key }): Choice => ({
        id: to,
        label,
        icon,
        to,
        ...(key && { key: `G ${key.toUpperCase()}` }),
      }),
    );
  const actions: readonly Choice[] = [
    ...(isOperator ? [] : ACCOUNT_ACTIONS),
    { id: "light", label: "Light theme", icon: "sun", run: () => setTheme("light") },
    { id: "dark", label: "Dark theme", icon: "sun", run: () => setTheme("dark") },
  ];
  const sections: readonly Section[] = [
    ...found,
    ["What you typed", jumpsFor(text, isOperator, readNumber)],
    ["Numbers and conversations", isOperator ? [] : numbersLike(text, live.feed.get().entries).flatMap(choicesOf)],
    ["Recent", wanted === "" ? recent : []],
    ["Saved views", views.map(choiceOfView).filter(isWanted).slice(0, VIEWS_MAX)],
    ["Go to", pages.filter(isWanted)],
    ["Do", actions.filter(isWanted)],
    ["Search", wanted === "" || isOperator ? [] : [searchFor(text.trim())]],
  ];
  return sections.filter(([, choices]) => choices.length > 0);
}

const searchFor = (text: string): Choice => ({
  id: "search",
  label: `Search everywhere for “${text}”`,
  icon: "search",
  to: `/search?q=${encodeURIComponent(text)}`,
});

const choiceOfView = ({ sid, name, address }: SavedView): Choice => ({
  id: sid,
  label: name,
  icon: "bookmark",
  to: address,
});

const choicesOf = (number: string): readonly Choice[] => [
  { id: `conversation-${number}`, label: `Conversation with ${number}`, icon: "message", to: `/messages/${number}` },
  {
    id: `lookup-${number}`,
    label: `Look up ${number}`,
    icon: "lookup",
    to: `/lookup?n=${encodeURIComponent(number)}`,
  },
];

/** What fits the typed text; `isLooking` until the server has answered. */
function useSections(text: string, groups: readonly Group[], isOperator: boolean) {
  const readNumber = useNumberReader();
  const result = useFound(text, isOperator);
  const { data: views = [] } = useQuery(viewsQuery);
  const found = result ? foundSections(result) : [];
  return {
    sections: choicesFor({ text, groups, isOperator, readNumber, views, found }),
    isLooking: isOperator && isSearched(text) && !result,
  };
}

/** The choice that Enter opens; arrow keys move it. */
function useHighlight(text: string, sections: readonly Section[]) {
  const [before, setHighlight] = useState<Highlight>({ text, id: undefined });
  const choices = sections.flatMap(([, listed]) => listed);
  const ids = choices.map(({ id }) => id);
  const now = highlightIn(before, text, ids);
  // While rendering, so that no frame shows the new choices with another one highlighted.
  if (now !== before) setHighlight(now);
  return {
    chosen: choices.find(({ id }) => id === now.id),
    move: (step: number) => setHighlight(movedBy(step, now, ids)),
  };
}

export function Palette({ groups, isOperator, onClose }: PaletteProps) {
  const [text, setText] = useState("");
  const navigate = useNavigate();
  const { sections, isLooking } = useSections(text, groups, isOperator);
  const { chosen, move } = useHighlight(text, sections);
  const go = (choice: Choice, isNewTab: boolean) => {
    onClose();
    choice.run?.();
    if (choice.to === undefined) return;
    const { label, icon, to } = { ...choice, to: choice.to };
    if (!groups.some(({ destinations }) => destinations.some((known) => known.to === to))) {
      recent = [{ id: `recent-${to}`, label, icon, to }, ...recent.filter((known) => known.to !== to)].slice(
        0,
        RECENT_MAX,
      );
    }
    if (isNewTab) window.open(to, "_blank", "noopener");
    else void navigate({ href: to });
  };
  const press = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined) move(step);
    if (event.key === "Enter" && chosen) go(chosen, event.metaKey || event.ctrlKey);
    if (step !== undefined || event.key === "Enter") event.preventDefault();
  };
  return (
    <Dialog label="Find or jump to" place="top" onClose={onClose}>
      <div className="palette">
        <div className="palette-input">
          <Icon name="search" />
          <input
            autoFocus
            role="combobox"
            aria-label="Find or jump to"
            aria-expanded={chosen !== undefined}
            aria-controls={chosen && "palette-list"}
            aria-activedescendant={chosen && `palette-${chosen.id}`}
            autoComplete="off"
            spellCheck={false}
            placeholder={
              isOperator ? "A page, a number, an account, or any id" : "A page, a number, any id, or words of a text"
            }
            value={text}
            onChange={(event) => setText(event.target.value)}
            onKeyDown={press}
          />
        </div>
        <PaletteList sections={sections} chosen={chosen} isLooking={isLooking} onGo={go} />
        <p className="palette-foot">
          <span>
            <kbd>↑</kbd> <kbd>↓</kbd> move
          </span>
          <span>
            <kbd>{MOD}</kbd>
            <kbd>↵</kbd> new tab
          </span>
          <span>Any sid or request id opens what it names</span>
        </p>
      </div>
    </Dialog>
  );
}

interface ListProps {
  readonly sections: readonly Section[];
  readonly chosen: Choice | undefined;
  /** The server has not answered yet. */
  readonly isLooking: boolean;
  readonly onGo: (choice: Choice, isNewTab: boolean) => void;
}

function PaletteList({ sections, chosen, isLooking, onGo }: ListProps) {
  const count = sections.flatMap(([, choices]) => choices).length;
  const shown = chosen && `palette-${chosen.id}`;
  // What the server finds is put before it, too, and would push it out of sight.
  useEffect(() => {
    if (shown !== undefined && count > 0) document.getElementById(shown)?.scrollIntoView({ block: "nearest" });
  }, [shown, count]);
  if (sections.length === 0) {
    const words = isLooking ? "Looking in all accounts…" : "Nothing has that name. Try a number or an id.";
    return <p className="palette-none">{words}</p>;
  }
  return (
    <div id="palette-list" role="listbox" aria-label="Results" className="palette-list">
      {sections.map(([title, choices]) => (
        // biome-ignore lint/a11y/useSemanticElements: a fieldset is no group of a listbox
        <div key={title} role="group" aria-label={title}>
          <p aria-hidden="true">{title}</p>
          {choices.map((choice) => (
            // biome-ignore lint/a11y/useKeyWithClickEvents: the input has the focus and the keys
            // biome-ignore lint/a11y/useFocusableInteractive: the input keeps the focus
            <div
              key={choice.id}
              id={`palette-${choice.id}`}
              role="option"
              aria-selected={choice === chosen}
              onClick={(event) => onGo(choice, event.metaKey || event.ctrlKey)}
            >
              <Icon name={choice.icon} />
              <span>{choice.label}</span>
              {choice === chosen ? <kbd>↵</kbd> : choice.key && <kbd>{choice.key}</kbd>}
            </div>
          ))}
        </div>
      ))}
    </div>
  );
}
