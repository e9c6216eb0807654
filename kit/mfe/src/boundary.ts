import { Component, type ReactNode } from 'react';

interface BoundaryProps {
  /** What is shown inside: when it is another one, it is tried anew. */
  of: unknown;
  fallback: ReactNode;
  children?: ReactNode;
}

/** Keeps an exception of what is inside to itself. Browser only: a server decides by the status. */
export class Boundary extends Component<BoundaryProps, { of: unknown; failed: boolean }> {
  override state = { of: this.props.of, failed: false };
  static getDerivedStateFromError() {
    return { failed: true };
  }
  static getDerivedStateFromProps({ of }: BoundaryProps, state: { of: unknown }) {
    return of === state.of ? null : { of, failed: false };
  }
  override render() {
    return this.state.failed ? this.props.fallback : this.props.children;
  }
}
