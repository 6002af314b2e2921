import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { ROOT } from "./address/router";
import { setBase } from "./api/client";
import { Page } from "./shell/page";
import { applyTheme } from "./shell/theme";
import "./shell/page.css";

applyTheme();
setBase(ROOT);
const place = document.getElementById("page");
if (place) {
  createRoot(place).render(
    <StrictMode>
      <Page />
    </StrictMode>,
  );
}
