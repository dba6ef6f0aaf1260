//! G, M, P, channels, timers, stacks, heap and collector.
