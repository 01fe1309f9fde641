// Everything that does not fit into the tabs of a phone.

import { Link } from "@tanstack/react-router";
import { signOut, useSession } from "../../api/session.ts";
import { Button } from "../../components/button.tsx";
import { Icon } from "../../components/icon.tsx";
import { usePlace } from "../../components/place.ts";
import { toast } from "../../components/toast.tsx";
import { ACCOUNT_GROUPS, ACCOUNT_TABS, OPERATOR_GROUPS, OPERATOR_TABS } from "../../shell/navigation.ts";
import { setTheme, THEMES, useTheme } from "../../shell/theme.ts";
import "./more.css";

export function MoreScreen() {
  usePlace([{ label: "More" }]);
  const session = useSession();
  const theme = useTheme();
  const [groups, tabs] =
    session.kind === "Operator" ? [OPERATOR_GROUPS, OPERATOR_TABS] : [ACCOUNT_GROUPS, ACCOUNT_TABS];
  const leave = () => void signOut().catch((error: unknown) => toast.problem("Not signed out.", error));
  return (
    <div className="more">
      <h1>{session.name}</h1>
      {session.sandbox && <p className="dim">Sandbox: nothing here reaches a real network.</p>}
      <ul>
        {groups
          .flatMap(({ destinations }) => destinations)
          .filter(({ to }) => !tabs.includes(to))
          .map(({ to, label, icon }) => (
            <li key={to}>
              <Link to={to}>
                <Icon name={icon} />
                {label}
              </Link>
            </li>
          ))}
      </ul>
      <div className="row">
        {THEMES.map((id) => (
          <Button key={id} small aria-pressed={id === theme} onClick={() => setTheme(id)}>
            {{ system: "As the system", light: "Light", dark: "Dark" }[id]}
          </Button>
        ))}
      </div>
      <Button onClick={leave}>Sign out</Button>
    </div>
  );
}
