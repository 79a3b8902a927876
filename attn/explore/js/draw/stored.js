// What a browser keeps, "localStorage" or "sessionStorage". It may refuse, and what it holds may be nonsense.

/** What stands under a name; null where there is nothing, or no JSON. */
export function readStored(store, key) {
  try {
    return JSON.parse(globalThis[store].getItem(key));
  } catch {
    return null;
  }
}

/** Keep a value under a name; false where that can't be. */
export function writeStored(store, key, value) {
  try {
    globalThis[store].setItem(key, JSON.stringify(value));
    return true;
  } catch {
    return false;
  }
}

export const isObject = (value) => typeof value === "object" && value !== null && !Array.isArray(value);
