// The features and limits of an account; an operator may change both.

import { type Account, FEATURES, type Feature } from "@tandem/sdk";
import { useState } from "react";
import { isCountedLimit } from "../../../../rules/counted-limits.ts";
import { operator } from "../../api/client.ts";
import { Button } from "../../components/button.tsx";
import { Input } from "../../components/field.tsx";
import { Form } from "../../components/form.tsx";
import { LIMIT_NAMES, LIMIT_WORDS, type LimitName } from "../../components/limit-names.ts";
import { Section } from "../../components/page.tsx";
import { Mark } from "../../components/status.tsx";
import { useAction } from "../../components/use-action.ts";
import { Problem } from "../../components/verdict.tsx";
import { useIsAdmin } from "./operator-parts.tsx";

export function AccountFeatures({ account }: { readonly account: Account }) {
  const isAdmin = useIsAdmin();
  const change = useAction({
    run: (features: readonly Feature[]) => operator.accounts.change(account.sid, { features }),
    nouns: ["accounts"],
    done: () => "Features changed.",
    failed: "Not changed.",
  });
  return (
    <Section title="Features">
      <ul className="operator-rows">
        {FEATURES.map((feature) => {
          const isOn = account.features.includes(feature);
          const others = account.features.filter((each) => each !== feature);
          return (
            <li key={feature}>
              <span className="mono">{feature}</span>
              <span className="row">
                <Mark shape={isOn ? "active" : "off"} tone={isOn ? "ok" : "neutral"} word={isOn ? "On" : "Off"} />
                {isAdmin && (
                  <Button
                    small
                    busy={change.isPending}
                    onClick={() => change.start(isOn ? others : [...others, feature])}
                  >
                    {isOn ? "Switch off" : "Switch on"}
                    <span className="vh"> {feature}</span>
                  </Button>
                )}
              </span>
            </li>
          );
        })}
      </ul>
    </Section>
  );
}

export function AccountLimits({ account }: { readonly account: Account }) {
  const isAdmin = useIsAdmin();
  const [typed, setTyped] = useState<Partial<Record<LimitName, string>>>({});
  const change = useAction({
    run: () => operator.accounts.change(account.sid, { limits: changedLimits(account, typed) }),
    nouns: ["accounts"],
    done: () => "Limits changed.",
    onDone: () => setTyped({}),
  });
  return (
    <Section title="Limits">
      <Form className="operator-form" onSubmit={change.start}>
        <table className="operator-limits">
          <tbody>
            {LIMIT_NAMES.map((name) => {
              const { requests, windowSeconds } = account.limits[name];
              return (
                <tr key={name}>
                  <th scope="row">{LIMIT_WORDS[name]}</th>
                  <td className="num">
                    {isAdmin ? (
                      <Input
                        aria-label={LIMIT_WORDS[name]}
                        inputMode="numeric"
                        value={typed[name] ?? String(requests)}
                        onChange={(event) => setTyped({ ...typed, [name]: event.target.value })}
                      />
                    ) : (
                      requests.toLocaleString()
                    )}{" "}
                    {!isCountedLimit(name) && <span className="dim">in {windowSeconds} s</span>}
                  </td>
                </tr>
              );
            })}
          </tbody>
        </table>
        {isAdmin && (
          <Button type="submit" busy={change.isPending} disabled={Object.keys(typed).length === 0}>
            Change the limits
          </Button>
        )}
        {change.error && <Problem what="Not changed" error={change.error} />}
      </Form>
    </Section>
  );
}

/** Only the limits that were typed; each keeps its window. */
function changedLimits({ limits }: Account, typed: Partial<Record<LimitName, string>>) {
  const changed = LIMIT_NAMES.flatMap((name) => {
    const text = typed[name];
    return text === undefined ? [] : [[name, { ...limits[name], requests: Number(text) }] as const];
  });
  return Object.fromEntries(changed);
}
