import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { ROOT } from "./address/router";
import { setBase } from "./api/client";
import { Page } from "./shell/page";
import { applyTheme } from "./shell/theme";
import "./shell/theme.css";
import "./shell/base.css";
import "./shell/page.css";
import "./shell/parts.css";

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
