// run

// A list of things to do as a web service, with its tests as a table of requests.
package main

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strconv"
	"strings"
	"sync"
)

type Todo struct {
	ID    int      `json:"id"`
	Title string   `json:"title"`
	Done  bool     `json:"done"`
	Tags  []string `json:"tags,omitempty"`
}

var ErrNotFound = errors.New("not found")

type Store interface {
	List(filter func(Todo) bool) []Todo
	Get(id int) (Todo, error)
	Put(t Todo) Todo
	Delete(id int) error
}

type memory struct {
	sync.RWMutex
	next  int
	todos map[int]Todo
}

func (m *memory) List(filter func(Todo) bool) []Todo {
	m.RLock()
	defer m.RUnlock()
	out := []Todo{}
	for _, t := range m.todos {
		if filter(t) {
			out = append(out, t)
		}
	}
	slices.SortFunc(out, func(a, b Todo) int { return cmp.Compare(a.ID, b.ID) })
	return out
}

func (m *memory) Get(id int) (Todo, error) {
	m.RLock()
	defer m.RUnlock()
	if t, ok := m.todos[id]; ok {
		return t, nil
	}
	return Todo{}, fmt.Errorf("todo %d: %w", id, ErrNotFound)
}

func (m *memory) Put(t Todo) Todo {
	m.Lock()
	defer m.Unlock()
	if t.ID == 0 {
		m.next++
		t.ID = m.next
	}
	m.todos[t.ID] = t
	return t
}

func (m *memory) Delete(id int) error {
	if _, err := m.Get(id); err != nil {
		return err
	}
	m.Lock()
	defer m.Unlock()
	delete(m.todos, id)
	return nil
}

type apiError struct {
	code int
	msg  string
}

func (e apiError) Error() string { return e.msg }

type handler func(w http.ResponseWriter, r *http.Request) (any, error)

func (h handler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	v, err := h(w, r)
	code := http.StatusOK
	if err != nil {
		var e apiError
		switch {
		case errors.As(err, &e):
			code = e.code
		case errors.Is(err, ErrNotFound):
			code = http.StatusNotFound
		default:
			code = http.StatusInternalServerError
		}
		v = map[string]string{"error": err.Error()}
	} else if v == nil {
		w.WriteHeader(http.StatusNoContent)
		return
	} else if r.Method == http.MethodPost {
		code = http.StatusCreated
	}
	w.Header().Set("Content-Type", "application/json; charset=utf-8")
	w.WriteHeader(code)
	json.NewEncoder(w).Encode(v)
}

func decode(r *http.Request) (t Todo, err error) {
	dec := json.NewDecoder(http.MaxBytesReader(nil, r.Body, 200))
	dec.DisallowUnknownFields()
	if err := dec.Decode(&t); err != nil {
		return t, apiError{http.StatusBadRequest, "bad body: " + err.Error()}
	}
	if strings.TrimSpace(t.Title) == "" {
		return t, apiError{http.StatusUnprocessableEntity, "title is missing"}
	}
	return t, nil
}

func id(r *http.Request) (int, error) {
	n, err := strconv.Atoi(r.PathValue("id"))
	if err != nil {
		return 0, apiError{http.StatusBadRequest, err.Error()}
	}
	return n, nil
}

func api(s Store) http.Handler {
	mux := http.NewServeMux()
	mux.Handle("GET /todos", handler(func(w http.ResponseWriter, r *http.Request) (any, error) {
		q := r.URL.Query()
		return s.List(func(t Todo) bool {
			return (!q.Has("done") || q.Get("done") == strconv.FormatBool(t.Done)) &&
				(q.Get("tag") == "" || slices.Contains(t.Tags, q.Get("tag")))
		}), nil
	}))
	mux.Handle("POST /todos", handler(func(w http.ResponseWriter, r *http.Request) (any, error) {
		t, err := decode(r)
		if err != nil {
			return nil, err
		}
		t.ID = 0
		t = s.Put(t)
		w.Header().Set("Location", "/todos/"+strconv.Itoa(t.ID))
		return t, nil
	}))
	mux.Handle("GET /todos/{id}", handler(func(w http.ResponseWriter, r *http.Request) (any, error) {
		n, err := id(r)
		if err != nil {
			return nil, err
		}
		return s.Get(n)
	}))
	mux.Handle("PUT /todos/{id}", handler(func(w http.ResponseWriter, r *http.Request) (any, error) {
		n, err := id(r)
		if err != nil {
			return nil, err
		}
		if _, err := s.Get(n); err != nil {
			return nil, err
		}
		t, err := decode(r)
		if err != nil {
			return nil, err
		}
		t.ID = n
		return s.Put(t), nil
	}))
	mux.Handle("DELETE /todos/{id}", handler(func(w http.ResponseWriter, r *http.Request) (any,
		error) {
		n, err := id(r)
		if err != nil {
			return nil, err
		}
		return nil, s.Delete(n)
	}))
	mux.Handle("GET /panic", handler(func(http.ResponseWriter, *http.Request) (any, error) {
		var m map[string]int
		m["x"] = 1
		return nil, nil
	}))
	return recovering(mux)
}

func recovering(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		defer func() {
			if p := recover(); p != nil {
				http.Error(w, fmt.Sprint("recovered: ", p), http.StatusInternalServerError)
			}
		}()
		next.ServeHTTP(w, r)
	})
}

func main() {
	h := api(&memory{todos: map[int]Todo{}})
	requests := []struct{ method, path, body string }{
		{"GET", "/todos", ""},
		{"POST", "/todos", `{"title": "write", "tags": ["work"]}`},
		{"POST", "/todos", `{"title": "rest", "id": 99}`},
		{"POST", "/todos", `{"title": "  "}`},
		{"POST", "/todos", `{"title": 5}`},
		{"POST", "/todos", `{"nope": 1}`},
		{"POST", "/todos", `{"title": "` + strings.Repeat("x", 300) + `"}`},
		{"POST", "/todos", ``},
		{"GET", "/todos/1", ""},
		{"PUT", "/todos/1", `{"title": "write more", "done": true, "tags": ["work", "late"]}`},
		{"PUT", "/todos/7", `{"title": "x"}`},
		{"GET", "/todos?done=true", ""},
		{"GET", "/todos?tag=late&done=false", ""},
		{"DELETE", "/todos/2", ""},
		{"DELETE", "/todos/2", ""},
		{"GET", "/todos/abc", ""},
		{"PATCH", "/todos/1", ""},
		{"GET", "/panic", ""},
		{"GET", "/todos/", ""},
	}
	for _, q := range requests {
		w := httptest.NewRecorder()
		h.ServeHTTP(w, httptest.NewRequest(q.method, q.path, bytes.NewBufferString(q.body)))
		res := w.Result()
		body, _ := io.ReadAll(res.Body)
		fmt.Printf("%-6s %-28s %d %s%s", q.method, q.path, res.StatusCode, res.Header.Get("Location"),
			body)
		if !bytes.HasSuffix(body, []byte("\n")) {
			fmt.Println()
		}
	}
	srv := httptest.NewServer(h)
	defer srv.Close()
	var wg sync.WaitGroup
	for i := range 50 {
		wg.Go(func() {
			resp, err := srv.Client().Post(srv.URL+"/todos", "application/json",
				strings.NewReader(fmt.Sprintf(`{"title": "n%d"}`, i)))
			if err != nil || resp.StatusCode != 201 {
				fmt.Println(err)
				return
			}
			resp.Body.Close()
		})
	}
	wg.Wait()
	resp, err := srv.Client().Get(srv.URL + "/todos")
	if err != nil {
		fmt.Println(err)
		return
	}
	var all []Todo
	json.NewDecoder(resp.Body).Decode(&all)
	resp.Body.Close()
	fmt.Println(len(all), all[len(all)-1].ID)
}
