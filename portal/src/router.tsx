// Every address of the portal. Screens are loaded when they are opened; the address is state, so query strings are
// plain text, kept as typed.

import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  Outlet,
  type RouteComponent,
  redirect,
} from "@tanstack/react-router";
import { shownSession, showSession } from "./api/client.ts";
import { queries } from "./api/queries.ts";
import { type Session, sessionQuery } from "./api/session.ts";
import { Button } from "./components/button.tsx";
import { fetching, Outdated, ScreenNotFetched } from "./components/outdated.tsx";
import { Empty, Loading, PageHead } from "./components/page.tsx";
import { usePlace } from "./components/place.ts";
import { Problem } from "./components/verdict.tsx";
import { SignInScreen } from "./screens/sign-in/SignInScreen.tsx";
import { Shell } from "./shell/Shell.tsx";

const root = createRootRoute({ component: Outlet });

function NoSuchPage() {
  usePlace([{ label: "No such page" }]);
  return (
    <>
      <PageHead title="There is no such page" />
      <Empty what="The address is wrong, or old" why="Go on from the navigation, or find it with the search above." />
    </>
  );
}

const signInRoute = createRoute({ getParentRoute: () => root, path: "/sign-in", component: SignInScreen });

/** Everything behind the sign-in. */
const shell = createRoute({
  getParentRoute: () => root,
  id: "shell",
  beforeLoad: async ({ location }) => {
    const session = await queries.ensureQueryData(sessionQuery);
    const next = location.href === "/" ? {} : { next: location.href };
    if (!session || shownSession() === undefined) showSession(session ?? undefined);
    if (!session) throw redirect({ to: "/sign-in", search: next });
    return { session };
  },
  component: Shell,
});

type Kind = Session["kind"];

const OPERATOR: readonly Kind[] = ["Operator"];
const BOTH: readonly Kind[] = ["Account", "Operator"];

/** A screen of accounts, of operators, or of both. */
function route(path: string, component: RouteComponent, kinds: readonly Kind[] = ["Account"]) {
  return createRoute({
    getParentRoute: () => shell,
    path,
    beforeLoad: ({ context }) => {
      if (!kinds.includes(context.session.kind)) throw redirect({ to: "/" });
    },
    component,
  });
}

/** A screen that is loaded when it is opened. */
function screen<Name extends string>(
  path: string,
  load: () => Promise<Readonly<Record<Name, RouteComponent>>>,
  name: Name,
  kinds?: readonly Kind[],
) {
  return route(path, lazyRouteComponent(fetching(load), name), kinds);
}

const HomeScreen = lazyRouteComponent(
  fetching(() => import("./screens/home/HomeScreen.tsx")),
  "HomeScreen",
);
const OverviewScreen = lazyRouteComponent(
  fetching(() => import("./screens/operator/OverviewScreen.tsx")),
  "OverviewScreen",
);
const MessagesScreen = lazyRouteComponent(
  fetching(() => import("./screens/messages/MessagesScreen.tsx")),
  "MessagesScreen",
);

function Start() {
  const { session } = shell.useRouteContext();
  return session.kind === "Operator" ? <OverviewScreen /> : <HomeScreen />;
}

const screens = [
  // Every other address: with the navigation, to go on from there.
  route("$", NoSuchPage, BOTH),
  route("/", Start, BOTH),
  route("/messages", MessagesScreen),
  // A number, a sid, or `new`.
  route("/messages/$id", MessagesScreen),
  screen("/log", () => import("./screens/log/LogScreen.tsx"), "LogScreen", BOTH),
  screen("/more", () => import("./screens/more/MoreScreen.tsx"), "MoreScreen", BOTH),
  screen("/views", () => import("./screens/views/ViewsScreen.tsx"), "ViewsScreen", BOTH),
  screen("/support/$sid", () => import("./screens/support/SupportLinkScreen.tsx"), "SupportLinkScreen", BOTH),
  screen("/requests/$id", () => import("./screens/requests/RequestScreen.tsx"), "RequestScreen", BOTH),
  screen("/search", () => import("./screens/search/SearchScreen.tsx"), "SearchScreen"),
  screen("/calls", () => import("./screens/calls/CallsScreen.tsx"), "CallsScreen"),
  screen("/calls/$sid", () => import("./screens/calls/CallScreen.tsx"), "CallScreen"),
  screen("/conferences", () => import("./screens/conferences/ConferencesScreen.tsx"), "ConferencesScreen"),
  screen("/conferences/$sid", () => import("./screens/conferences/ConferenceScreen.tsx"), "ConferenceScreen"),
  screen("/webhooks", () => import("./screens/webhooks/WebhooksScreen.tsx"), "WebhooksScreen"),
  screen("/webhooks/deliveries", () => import("./screens/webhooks/DeliveriesScreen.tsx"), "DeliveriesScreen"),
  screen("/webhooks/$sid", () => import("./screens/webhooks/WebhookScreen.tsx"), "WebhookScreen"),
  screen("/webhooks/deliveries/$sid", () => import("./screens/webhooks/DeliveryScreen.tsx"), "DeliveryScreen"),
  screen("/statistics", () => import("./screens/statistics/StatisticsScreen.tsx"), "StatisticsScreen"),
  screen("/numbers", () => import("./screens/numbers/NumbersScreen.tsx"), "NumbersScreen"),
  screen("/numbers/$number", () => import("./screens/numbers/NumberScreen.tsx"), "NumberScreen"),
  screen("/configs", () => import("./screens/configs/ConfigsScreen.tsx"), "ConfigsScreen"),
  screen("/configs/$sid", () => import("./screens/configs/ConfigScreen.tsx"), "ConfigScreen"),
  screen("/opt-outs", () => import("./screens/opt-outs/OptOutsScreen.tsx"), "OptOutsScreen"),
  screen("/lookup", () => import("./screens/lookup/LookupScreen.tsx"), "LookupScreen"),
  screen("/campaigns", () => import("./screens/campaigns/CampaignsScreen.tsx"), "CampaignsScreen"),
  screen("/migrations/$campaign", () => import("./screens/campaigns/MigrationScreen.tsx"), "MigrationScreen"),
  screen("/sandbox", () => import("./screens/sandbox/SandboxScreen.tsx"), "SandboxScreen"),
  screen("/api", () => import("./screens/api/ApiScreen.tsx"), "ApiScreen"),
  screen("/api/$operation", () => import("./screens/api/ApiScreen.tsx"), "ApiScreen"),
  screen("/account/changes", () => import("./screens/account/ChangesScreen.tsx"), "ChangesScreen"),
  screen("/account", () => import("./screens/account/AccountScreen.tsx"), "AccountScreen"),
  screen("/operator/links", () => import("./screens/operator/LinksScreen.tsx"), "LinksScreen", OPERATOR),
  screen("/operator/routes", () => import("./screens/operator/RoutesScreen.tsx"), "RoutesScreen", OPERATOR),
  screen("/operator/inventory", () => import("./screens/operator/InventoryScreen.tsx"), "InventoryScreen", OPERATOR),
  screen("/operator/overrides", () => import("./screens/operator/OverridesScreen.tsx"), "OverridesScreen", OPERATOR),
  screen("/operator/accounts", () => import("./screens/operator/AccountsScreen.tsx"), "AccountsScreen", OPERATOR),
  screen(
    "/operator/accounts/$sid",
    () => import("./screens/operator/OwnedAccountScreen.tsx"),
    "OwnedAccountScreen",
    OPERATOR,
  ),
  screen("/operator/ports", () => import("./screens/operator/PortOrdersScreen.tsx"), "PortOrdersScreen", OPERATOR),
  screen("/operator/ports/$sid", () => import("./screens/operator/PortOrderScreen.tsx"), "PortOrderScreen", OPERATOR),
  screen(
    "/operator/campaigns",
    () => import("./screens/operator/OperatorCampaignsScreen.tsx"),
    "OperatorCampaignsScreen",
    OPERATOR,
  ),
  screen("/operator/nodes", () => import("./screens/operator/NodesScreen.tsx"), "NodesScreen", OPERATOR),
  screen(
    "/operator/tokens",
    () => import("./screens/operator/OperatorTokensScreen.tsx"),
    "OperatorTokensScreen",
    OPERATOR,
  ),
  screen("/operator/recordings", () => import("./screens/operator/RecordingsScreen.tsx"), "RecordingsScreen", OPERATOR),
  screen("/operator/audit", () => import("./screens/operator/AuditScreen.tsx"), "AuditScreen", OPERATOR),
];

export const router = createRouter({
  routeTree: root.addChildren([signInRoute, shell.addChildren(screens)]),
  defaultPreload: "intent",
  defaultPendingComponent: Loading,
  defaultErrorComponent: ({ error, reset }) =>
    error instanceof ScreenNotFetched ? (
      <Outdated />
    ) : (
      <Problem what="This page broke" error={error}>
        <Button small icon="replay" onClick={reset}>
          Try again
        </Button>
      </Problem>
    ),
  // Numbers and ids stay readable in addresses.
  pathParamsAllowedCharacters: ["+", ":", "@"],
  parseSearch: (text) => Object.fromEntries(new URLSearchParams(text)),
  stringifySearch: (search) => {
    const given = Object.entries(search).filter(([, value]) => value !== undefined && value !== "");
    const query = new URLSearchParams(given.map(([name, value]) => [name, String(value)])).toString();
    return query === "" ? "" : `?${query.replaceAll("%3A", ":").replaceAll("%2C", ",")}`;
  },
});
