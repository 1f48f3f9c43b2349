import { startAnchors } from "./anchors.ts";
import { startCompletion } from "./completion.ts";
import { startCopy } from "./copy.ts";
import { startKeys } from "./keys.ts";
import { startLive } from "./live.ts";
import { keepWhatPeopleDid } from "./morph.ts";
import { startOutline } from "./outline.ts";
import { startTheme } from "./theme.ts";

document.documentElement.classList.add("js");
keepWhatPeopleDid();
startTheme();
startKeys();
startCopy();
startCompletion();
startAnchors();
startOutline();
startLive();
