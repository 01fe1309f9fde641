// Tabs on a line, for several forms of the same thing. `value` belongs in the URL where users send links to it.

import { type ReactNode, useState } from "react";
import { type TabItem, TabList, TabPanel, useTabIds } from "./tab-list.tsx";
import "./tabs.css";

export interface Tab extends TabItem {
  readonly content: ReactNode;
}

export interface TabsProps {
  readonly label: string;
  readonly tabs: readonly Tab[];
  readonly value?: string | undefined;
  readonly onChange?: (id: string) => void;
  /** At the right end of the line. */
  readonly aside?: ReactNode;
}

/** Without `onChange` they keep the choice themselves. */
export function Tabs({ label, tabs, value, onChange, aside }: TabsProps) {
  const [own, setOwn] = useState(value);
  const ids = useTabIds();
  const chosen = tabs.find(({ id }) => id === (onChange ? value : own)) ?? tabs[0];
  if (!chosen) return null;
  return (
    <div className="tabs">
      <div className="tabs-line">
        <TabList
          label={label}
          className="tabs-list"
          tabClass="tabs-tab"
          tabs={tabs}
          chosen={chosen.id}
          onChoose={onChange ?? setOwn}
          ids={ids}
        />
        {aside && <span className="tabs-aside">{aside}</span>}
      </div>
      <TabPanel key={chosen.id} ids={ids} id={chosen.id}>
        {chosen.content}
      </TabPanel>
    </div>
  );
}
