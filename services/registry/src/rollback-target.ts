/** One thing that was ever live, or a deactivation (`version` null). */
export interface LiveChange {
  kind: 'activate' | 'rollback' | 'deactivate';
  version: string | null;
}

/**
 * The version that was live before the one that is: each rollback goes one further back, not to and fro.
 * @param history of one microfrontend, oldest first
 * @param usable false for a version that must not come back
 * @returns null where there is none
 */
export function rollbackTarget(history: readonly LiveChange[], usable: (version: string) => boolean): string | null {
  const stack: (string | null)[] = [];
  for (const { kind, version } of history) {
    const at = kind === 'rollback' ? stack.lastIndexOf(version) : -1;
    if (at >= 0) stack.length = at + 1;
    else stack.push(version);
  }
  const now = stack.pop();
  return stack.findLast((version): version is string => version !== null && version !== now && usable(version)) ?? null;
}
