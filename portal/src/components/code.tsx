// Code and raw messages: shown as they are, scrolling in their own box, copied whole. `CodeTabs` shows the same request
// in several languages and remembers the chosen one.

import { type ReactNode, useState } from "react";
import { Button, IconButton } from "./button.tsx";
import { copyText } from "./copy.ts";
import { type Language, tokensOf } from "./highlight.ts";
import { TabList, TabPanel, useTabIds } from "./tab-list.tsx";
import "./code.css";

export interface CodeProps {
  readonly text: string;
  readonly language?: Language;
  readonly label: string;
}

export function Code({ text, language = "plain", label }: CodeProps) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard
    // biome-ignore lint/a11y/useSemanticElements: a fieldset holds fields
    <pre className="code" tabIndex={0} role="group" aria-label={label}>
      <code>
        {tokensOf(text, language).map(({ text: part, kind }, at) =>
          kind ? (
            // biome-ignore lint/suspicious/noArrayIndexKey: tokens have no other name
            <span key={at} className={`code-${kind}`}>
              {part}
            </span>
          ) : (
            part
          ),
        )}
      </code>
    </pre>
  );
}

/** One line, such as a command, with its copy button. */
export function CodeLine({ text, language = "sh" }: { readonly text: string; readonly language?: Language }) {
  return (
    <div className="code-box code-one">
      <Code text={text} language={language} label="Command" />
      <IconButton icon="copy" label="Copy" onClick={() => void copyText(text, "Command")} />
    </div>
  );
}

export interface CodeTab {
  readonly name: string;
  readonly language: Language;
  readonly text: string;
}

export interface CodeTabsProps {
  readonly label: string;
  readonly tabs: readonly CodeTab[];
  /** Right of Copy. */
  readonly buttons?: ReactNode;
}

const REMEMBERED = "tandem.code";

/** Names become parts of ids, which have no spaces. */
const idOf = (name: string) => name.replaceAll(" ", "-");

export function CodeTabs({ label, tabs, buttons }: CodeTabsProps) {
  const [chosen, setChosen] = useState(() => localStorage.getItem(REMEMBERED) ?? "");
  const ids = useTabIds();
  const tab = tabs.find(({ name }) => idOf(name) === chosen) ?? tabs[0];
  if (!tab) return null;
  const id = idOf(tab.name);
  const choose = (id: string) => {
    localStorage.setItem(REMEMBERED, id);
    setChosen(id);
  };
  return (
    <div className="code-box">
      <header>
        <TabList
          label={label}
          className="code-tabs"
          tabs={tabs.map(({ name }) => ({ id: idOf(name), label: name }))}
          chosen={id}
          onChoose={choose}
          ids={ids}
        />
        <span className="code-buttons">
          <Button small icon="copy" title="Copy" onClick={() => void copyText(tab.text, "Code")}>
            <span className="code-copy">Copy</span>
          </Button>
          {buttons}
        </span>
      </header>
      <TabPanel key={id} ids={ids} id={id}>
        <Code text={tab.text} language={tab.language} label={`${label}, ${tab.name}`} />
      </TabPanel>
    </div>
  );
}
