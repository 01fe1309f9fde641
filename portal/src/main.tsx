// Starts the portal in the page.

import "./tokens.css";
import "./base.css";
import { QueryClientProvider } from "@tanstack/react-query";
import { RouterProvider } from "@tanstack/react-router";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { queries } from "./api/queries.ts";
import { router } from "./router.tsx";

const root = document.getElementById("root");
if (!root) throw new Error("The page has no place for the portal.");
createRoot(root).render(
  <StrictMode>
    <QueryClientProvider client={queries}>
      <RouterProvider router={router} />
    </QueryClientProvider>
  </StrictMode>,
);
