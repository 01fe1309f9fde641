// Tabs on a line, for several forms of the same thing. `value` belongs in the URL where users send links to it.

import { Tabs as Primitive } from "radix-ui";
import type { ReactNode } from "react";
import "./tabs.css";

export interface Tab {
  readonly id: string;
  readonly label: ReactNode;
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

export function Tabs({ label, tabs, value, onChange, aside }: TabsProps) {
  const chosen = tabs.find(({ id }) => id === value) ?? tabs[0];
  if (!chosen) return null;
  const control = onChange ? { value: chosen.id, onValueChange: onChange } : { defaultValue: chosen.id };
  return (
    <Primitive.Root className="tabs" {...control}>
      <div className="tabs-line">
        <Primitive.List aria-label={label} className="tabs-list">
          {tabs.map((tab) => (
            <Primitive.Trigger key={tab.id} value={tab.id} className="tabs-tab">
              {tab.label}
            </Primitive.Trigger>
          ))}
        </Primitive.List>
        {aside && <span className="tabs-aside">{aside}</span>}
      </div>
      {tabs.map((tab) => (
        <Primitive.Content key={tab.id} value={tab.id} tabIndex={-1}>
          {tab.content}
        </Primitive.Content>
      ))}
    </Primitive.Root>
  );
}
