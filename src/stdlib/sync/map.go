package sync

// Map is a map under a lock.
type Map struct {
	_ noCopy
	m RWMutex
	d map[any]any
}

func (m *Map) Load(key any) (value any, ok bool) {
	m.m.RLock()
	defer m.m.RUnlock() // also if the key cannot be hashed
	value, ok = m.d[key]
	return value, ok
}

func (m *Map) Store(key, value any) { m.Swap(key, value) }

func (m *Map) Clear() {
	m.m.Lock()
	clear(m.d)
	m.m.Unlock()
}

func (m *Map) LoadOrStore(key, value any) (actual any, loaded bool) {
	m.m.Lock()
	defer m.m.Unlock()
	if actual, loaded = m.d[key]; loaded {
		return actual, true
	}
	m.set(key, value)
	return value, false
}

// set stores with the lock held.
func (m *Map) set(key, value any) {
	if m.d == nil {
		m.d = make(map[any]any)
	}
	m.d[key] = value
}

func (m *Map) LoadAndDelete(key any) (value any, loaded bool) {
	m.m.Lock()
	defer m.m.Unlock()
	value, loaded = m.d[key]
	delete(m.d, key)
	return value, loaded
}

func (m *Map) Delete(key any) { m.LoadAndDelete(key) }

func (m *Map) Swap(key, value any) (previous any, loaded bool) {
	m.m.Lock()
	defer m.m.Unlock()
	previous, loaded = m.d[key]
	m.set(key, value)
	return previous, loaded
}

func (m *Map) CompareAndSwap(key, old, new any) (swapped bool) {
	m.m.Lock()
	defer m.m.Unlock()
	if have, ok := m.d[key]; ok && have == old {
		m.d[key] = new
		return true
	}
	return false
}

func (m *Map) CompareAndDelete(key, old any) (deleted bool) {
	m.m.Lock()
	defer m.m.Unlock()
	if have, ok := m.d[key]; ok && have == old {
		delete(m.d, key)
		return true
	}
	return false
}

// Range calls f without the lock, for the keys that were there when it began.
func (m *Map) Range(f func(key, value any) bool) {
	m.m.RLock()
	keys := make([]any, 0, len(m.d))
	for k := range m.d {
		keys = append(keys, k)
	}
	m.m.RUnlock()
	for _, k := range keys {
		if v, ok := m.Load(k); ok && !f(k, v) {
			return
		}
	}
}
