import { whenIdle } from './moments.ts';
import type { RootHandle } from './root.tsx';

/**
 * Leaves a page that needs no code as the server sent it: nothing is hydrated, and navigation works. React begins with
 * the next page, which takes the place of the whole document's content. What is around every page it renders when the
 * browser has nothing to do, so that the first click has to wait for the page alone.
 * @param begin renders into an empty root, at once, without a page; from then on the handle is React's
 */
export function leaveAsItIs(handle: RootHandle, begin: (root: HTMLElement) => void): void {
  const [root, main] = ['root', 'main'].map((id) => document.getElementById(id)) as [HTMLElement, HTMLElement];
  const waiting = document.createElement('div');
  waiting.className = 'waiting';
  // The same two signs as the layout's.
  const navigating: RootHandle['navigating'] = (state) => {
    if (state === 'idle') waiting.remove();
    else main.before(waiting);
    main.ariaBusy = state === 'idle' ? null : 'true';
  };
  const prepare = () => {
    const next = root.cloneNode() as HTMLElement;
    begin(next);
    const react = { ...handle };
    handle.navigating = navigating;
    handle.show = (view, firstScreen) => {
      Object.assign(handle, { show: react.show, navigating: react.navigating });
      // Before the page is rendered: its effects may look at the document.
      root.replaceWith(next);
      handle.show(view, firstScreen);
    };
  };
  const unprepared: RootHandle['show'] = (view, firstScreen) => {
    prepare();
    handle.show(view, firstScreen);
  };
  Object.assign(handle, { navigating, show: unprepared });
  whenIdle(() => handle.show === unprepared && prepare());
  handle.taken();
}
