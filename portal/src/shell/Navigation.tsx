// The navigation: 212 px wide with words, 56 px with icons on pages up to 1180 px, tabs at the bottom on a phone.

import { useQuery } from "@tanstack/react-query";
import { Link, useLocation } from "@tanstack/react-router";
import { attentionQuery, NOUN_OF_CAUSE } from "../api/attention.ts";
import { type Session, signOut, useSession } from "../api/session.ts";
import { IconButton } from "../components/button.tsx";
import { Icon, Logo } from "../components/icon.tsx";
import { Menu } from "../components/menu.tsx";
import { ShortSid } from "../components/sid.tsx";
import { toast } from "../components/toast.tsx";
import { ACCOUNT_TABS, type Destination, type Group, isWithin, OPERATOR_TABS } from "./navigation.ts";
import { setTheme, THEMES, useTheme } from "./theme.ts";

export interface NavigationProps {
  readonly session: Session;
  readonly groups: readonly Group[];
  readonly onKeys: () => void;
}

export function Navigation({ session, groups, onKeys }: NavigationProps) {
  return (
    <nav className="nav" aria-label="Main">
      <Link to="/" className="nav-brand" aria-label="Tandem, home">
        <Logo />
        <span>Tandem</span>
      </Link>
      <AccountMenu session={session} />
      <div className="nav-groups">
        {groups.map(({ title, destinations }) => (
          <div key={title} className="nav-group">
            {title && <h2>{title}</h2>}
            <ul>
              {destinations.map((destination) => (
                <li key={destination.to}>
                  <NavLink destination={destination} />
                </li>
              ))}
            </ul>
          </div>
        ))}
      </div>
      <div className="nav-foot">
        <ThemeMenu />
        <IconButton icon="help" label="Keys, ?" onClick={onKeys} />
        <span className="nav-version">{__VERSION__}</span>
      </div>
    </nav>
  );
}

function NavLink({ destination }: { readonly destination: Destination }) {
  const { pathname } = useLocation();
  const { kind } = useSession();
  const { data: findings = [] } = useQuery(attentionQuery(kind));
  const waiting = findings
    .filter(({ cause }) => NOUN_OF_CAUSE[cause] === destination.noun)
    .reduce((sum, { count }) => sum + count, 0);
  return (
    <Link
      to={destination.to}
      title={destination.label}
      aria-current={isWithin(destination, pathname) ? "page" : undefined}
    >
      <Icon name={destination.icon} />
      <span>{destination.label}</span>
      {waiting > 0 && (
        <span className="nav-badge" title={`${waiting} need attention`}>
          {waiting}
        </span>
      )}
    </Link>
  );
}

function AccountMenu({ session }: { readonly session: Session }) {
  const leave = (everywhere: boolean) => () =>
    void signOut({ everywhere }).catch((error: unknown) => toast.problem("Not signed out.", error));
  return (
    <div className="nav-account">
      <Menu
        className="account"
        label={`Account: ${session.name}`}
        items={[
          { id: "out", label: "Sign out", run: leave(false) },
          { id: "everywhere", label: "Sign out everywhere", run: leave(true) },
        ]}
      >
        <span className="account-initial" aria-hidden="true">
          {session.name.slice(0, 1).toUpperCase()}
        </span>
        <span className="account-words">
          <span className="account-name cut">{session.kind === "Operator" ? "Operator" : session.name}</span>
          <span className="account-sub">
            {session.accountSid ? <ShortSid value={session.accountSid} /> : session.name}
            {session.sandbox && (
              <span className="account-sandbox" title="Nothing here reaches a real network">
                Sandbox
              </span>
            )}
          </span>
        </span>
        <Icon name="down" />
      </Menu>
    </div>
  );
}

function ThemeMenu() {
  const theme = useTheme();
  const words = { system: "As the system", light: "Light", dark: "Dark" };
  return (
    <Menu
      className="button-ghost"
      label={`Theme: ${theme}`}
      place="above"
      items={THEMES.map((id) => ({ id, label: words[id], isChosen: id === theme, run: () => setTheme(id) }))}
    >
      <Icon name="sun" />
      <span className="vh">Theme</span>
    </Menu>
  );
}

export function PhoneTabs({ groups, isOperator }: { readonly groups: readonly Group[]; readonly isOperator: boolean }) {
  const { pathname } = useLocation();
  const all = groups.flatMap(({ destinations }) => destinations);
  const tabs = (isOperator ? OPERATOR_TABS : ACCOUNT_TABS).flatMap((to) => all.filter((known) => known.to === to));
  const isElsewhere = !tabs.some((tab) => isWithin(tab, pathname));
  return (
    <nav className="phone-tabs" aria-label="Main, small screens">
      {tabs.map((tab) => (
        <Link key={tab.to} to={tab.to} aria-current={isWithin(tab, pathname) ? "page" : undefined}>
          <Icon name={tab.icon} />
          <span>{tab.short ?? tab.label}</span>
        </Link>
      ))}
      <Link to="/more" aria-current={isElsewhere ? "page" : undefined}>
        <Icon name="menu" />
        <span>More</span>
      </Link>
    </nav>
  );
}
