// The drawings and pictures of the page, kept in it: they are still there when the server has ended.

import { isAddress } from "/dom.js";
import { appIcon } from "/words.js";

/** The text of a file, or null if the server does not have it. */
async function textOf(path) {
  try {
    const response = await fetch(path);
    return response.ok ? await response.text() : null;
  } catch {
    return null;
  }
}

/** Puts the file of the drawings into the page. */
export async function loadDrawings() {
  const text = await textOf("/icons/symbols.svg");
  if (text === null) return;
  const drawings = new DOMParser().parseFromString(text, "image/svg+xml").documentElement;
  const box = document.createElement("div");
  box.id = "symbols";
  box.hidden = true;
  box.append(document.adoptNode(drawings));
  document.body.append(box);
}

/** The pictures that are on their way into the page. */
const loading = new Map();

/** Puts pictures into the page, where `picture` finds them. */
export async function loadPictures(files) {
  const isMissing = (file) => file && !isAddress(file) && !document.getElementById(`icon:${file}`);
  await Promise.all([...new Set(files)].filter(isMissing).map((file) => {
    if (!loading.has(file)) loading.set(file, load(file).finally(() => loading.delete(file)));
    return loading.get(file);
  }));
}

async function load(file) {
  const text = await textOf(`/icons/${encodeURIComponent(file)}`);
  if (text === null) return;
  const box = document.createElement("script");
  box.type = "image/svg+xml";
  box.id = `icon:${file}`;
  box.textContent = text;
  document.body.append(box);
}

/** The files of the pictures that every run shows. */
export const USUAL_PICTURES = ["app.svg", "website.svg", "portrait.svg", "settings.svg", "store.svg"];

/** The files of the pictures that a run can show. */
export function picturesOf({ websites, terminals = [], screens, actors }) {
  const screenIcons = screens.flatMap(({ devices }) => Object.values(devices)).map((one) => one.authorization?.icon);
  const apps = actors.filter(({ role }) => role === "app").map(({ id }) => appIcon(id.replace(/^.*\//, "")));
  const brands = [...websites, ...terminals].map(({ icon }) => icon);
  return [...USUAL_PICTURES, ...brands, ...screenIcons, ...apps];
}
